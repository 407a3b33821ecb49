recorder2text -q --strict --ranks 1 sample
