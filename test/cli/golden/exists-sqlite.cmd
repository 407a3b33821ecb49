recorder2sqlite sample; recorder2sqlite sample; echo $?; recorder2sqlite -o - sample; ls
