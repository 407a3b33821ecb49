recorder functions --help
