recorder clean --help
