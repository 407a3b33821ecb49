mkdir folder; echo text >file
for command in "info sample" "info --json sample" "info --csv sample" "check sample" "check --json sample" "where sample" "env" "--help" "--version" "info --help"; do
	recorder $command >/dev/full; echo $?
	recorder $command >&-; echo $?
done
recorder2text -q sample >/dev/full; echo $?
recorder2text -q sample >&-; echo $?
recorder2pfw -qz -o - sample >/dev/full; echo $?
recorder2text -q -o /dev/full sample; echo $?
recorder2text -q -o folder sample; echo $?
recorder2text -q -o none/file sample; echo $?
recorder2text -q -o file sample; echo $?
cat file; ls
