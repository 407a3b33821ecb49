recorder2text -q --levels 1 sample; recorder2text -q --min-duration 20us sample; recorder2text -q --files '*caf*' sample
