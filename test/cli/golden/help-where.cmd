recorder where --help
