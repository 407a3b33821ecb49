recorder info --json sample
