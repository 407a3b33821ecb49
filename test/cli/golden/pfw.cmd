recorder2pfw -q -o - sample
