mkdir empty; recorder info empty; recorder2text /no/such/dir; cd empty; recorder2text
