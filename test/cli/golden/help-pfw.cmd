recorder2pfw --help
