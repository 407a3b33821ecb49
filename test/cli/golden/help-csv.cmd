recorder2csv --help
