recorder pack a b
echo $?
touch there.rtrace
recorder pack -o there.rtrace sample
echo $?
recorder info there.rtrace
echo $?
mkdir there
recorder unpack -o there there.rtrace
echo $?
recorder unpack sample
echo $?
recorder unpack
echo $?
recorder pack -q -o packed.rtrace sample
(ulimit -f 2; trap '' XFSZ; recorder pack -q -j 1 -o small.rtrace sample; recorder unpack -q -o small packed.rtrace)
echo $?
ls -A
recorder anonymize -o other packed.rtrace
echo $?
recorder repair packed.rtrace
echo $?
