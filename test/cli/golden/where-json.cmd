recorder where --json sample
