recorder info sample
