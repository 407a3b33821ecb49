recorder anonymize --help
