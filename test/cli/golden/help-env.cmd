recorder env --help
