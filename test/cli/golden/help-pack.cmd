recorder pack --help
