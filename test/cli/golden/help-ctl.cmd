recorder ctl --help
