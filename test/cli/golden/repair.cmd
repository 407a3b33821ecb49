recorder repair sample
