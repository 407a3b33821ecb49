recorder stacks --help
