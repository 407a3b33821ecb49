recorder system --help
