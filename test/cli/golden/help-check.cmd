recorder check --help
