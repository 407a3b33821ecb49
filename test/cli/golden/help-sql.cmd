recorder sql --help
