recorder summary --help
