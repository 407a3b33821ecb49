recorder; recorder bogus; recorder info a b; recorder2pfw --format x; recorder2text --ranks a sample; recorder2text --time 5 sample; recorder run; echo $?; recorder2pfw -j 0
