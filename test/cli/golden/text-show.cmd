recorder2text --show all sample
