recorder2collapsed --help
