recorder info --help
