recorder2sqlite --help
