recorder run --help
