recorder unpack --help
