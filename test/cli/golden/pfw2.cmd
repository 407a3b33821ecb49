recorder2pfw -q --format pfw2 -o - sample
