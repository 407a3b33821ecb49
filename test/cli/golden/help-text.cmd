recorder2text --help
