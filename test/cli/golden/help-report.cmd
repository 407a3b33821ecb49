recorder report --help
