recorder --version; recorder info --version; recorder2text --version; recorder2pfw -V
