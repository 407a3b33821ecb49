recorder verify --help
