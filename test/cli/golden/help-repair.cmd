recorder repair --help
