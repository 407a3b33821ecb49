recorder2pfw -q --no-args --ranks 1 -o - sample; recorder2pfw -q --no-args --format=chrome --ranks 1 -o - sample
