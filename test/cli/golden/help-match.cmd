recorder match --help
