echo text >file; mkdir folder
for command in "none" "./file" "./folder" "./none/none"; do recorder run -- $command; echo $?; done
recorder run -o '' -- true; echo $?
recorder run -q -o trace -- sh -c 'exit 42'; echo $?
recorder run -o /dev/null/trace -- ls; echo $?
