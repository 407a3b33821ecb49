recorder2text -q --ranks 1 --functions pwrite
