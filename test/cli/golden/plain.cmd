recorder2text -q --plain sample
