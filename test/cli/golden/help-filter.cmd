recorder filter --help
