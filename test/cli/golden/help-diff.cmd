recorder diff --help
