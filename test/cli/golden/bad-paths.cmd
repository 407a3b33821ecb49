echo text >file; mkdir other; echo text >other/file
for verb in info check repair where; do for path in none file other; do recorder $verb $path; echo $?; done; done
for path in none file other; do recorder2text $path; recorder2pfw $path; done; echo $?
