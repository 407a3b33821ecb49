recorder findings --help
