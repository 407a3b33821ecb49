recorder2pfw -q --format chrome -o - sample
