recorder2pfw sample && recorder2pfw sample; echo $?; recorder2pfw --force sample; ls
