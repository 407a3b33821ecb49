recorder2parquet --help
