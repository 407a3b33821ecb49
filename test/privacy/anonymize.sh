#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder anonymize: the same records with the same numbers and times, and none of the names in any byte of the copy,
# compressed ones included.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need python3

mkdir -p Zanzibar/Quixote Zanzibar/Ypsilon
cat >program.py <<'END'
import os
import subprocess
import threading

def work(number):
    for i in range(200):
        with open(f"Zanzibar/Quixote/Xylophone{number}.{i % 3}.h5", "a") as file:
            file.write("x" * i)
    os.rename(f"Zanzibar/Quixote/Xylophone{number}.0.h5", f"Zanzibar/Ypsilon/Xylophone{number}.h5")

threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
subprocess.run(["true", "--Wolverine=Zanzibar/Ypsilon/Xylophone1.h5", "Vuvuzela Umbrella"], check=True)
os.system("true Tambourine >/dev/null")
try:
    os.open("Zanzibar/Sarsaparilla", os.O_RDONLY)
except FileNotFoundError:
    pass
END
cp /bin/true Rigmarole
RECORDER_RUN_ID=Quadrille RECORDER_TAGS=Pumpernickel RECORDER_LOG_ENV=ODDITY ODDITY=Nasturtium \
	recorder run -q -o trace -- python3 program.py || fail "program.py"
RECORDER_RUN_ID=Quadrille recorder run -q -o trace -- ./Rigmarole || fail "Rigmarole"

recorder anonymize --keep-extensions -o copy trace || fail "recorder anonymize"
quietly recorder check copy || fail "recorder check"
expect_eq "$(stat -c %a copy copy/*.lm | sort -u | tr '\n' ' ')" "600 700 " "modes"

# no name, be it in the clear or compressed, is left
# (strings are stored as what they have not in common with others: what readers make of them is looked at too)
{ python3 "$TOP_SRCDIR/test/privacy/plain.py" trace && recorder2text -q trace; } >before
{ python3 "$TOP_SRCDIR/test/privacy/plain.py" copy && recorder2text -q copy; } >after || fail "the copy cannot be read"
for name in Zanzibar Quixote Ypsilon Xylophone Wolverine Vuvuzela Umbrella Tambourine Sarsaparilla Quadrille \
	Pumpernickel Nasturtium program.py "$(basename "$test_dir")" python3 Rigmarole \
	"$(cat /proc/sys/kernel/random/boot_id)"; do
	grep -aqF "$name" before || [ "$name" = Rigmarole ] || fail "the trace does not have '$name' itself"
	grep -aqF "$name" after && fail "'$name' is in the copy: $(grep -aoF ".\{20\}$name" after)"
done

# numbers and times are as they were, and so is the number of records
python3 - <<'END' || fail "other records"
import json
import re
import subprocess
import sys

def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout

def shape(line):
    line = re.sub(r'"(?:[^"\\]|\\.)*"', lambda text: '"' + "/" * text[0].count("/") + '"', line)
    return re.sub(r"\[[^\]]*\]", "[]", line)

one, two = (run("recorder2text", "-q", where).splitlines() for where in ("trace", "copy"))
if [shape(line) for line in one] != [shape(line) for line in two]:
    for a, b in zip(one, two):
        if shape(a) != shape(b):
            sys.exit(f"{a}\n{b}")
    sys.exit(f"{len(one)} and {len(two)} lines")
one, two = (json.loads(run("recorder", "info", "-q", "--json", where)) for where in ("trace", "copy"))
hosts = {stream["host"] for stream in one["streams"]} & {stream["host"] for stream in two["streams"]}
if hosts or any(f".{stream['host']}." in other["name"] for stream in one["streams"] for other in two["streams"]):
    sys.exit("the host is named")
for key in ("records", "lost", "complete", "ranks", "duration", "start"):
    if one[key] != two[key]:
        sys.exit(f"{key}: {one[key]} and {two[key]}")

# the same name is the same everywhere, and so is what paths have in common
names = {}
pattern = r'(?:open|openat)\([^"]*path="([^"]*)"'
for a, b in zip(run("recorder2text", "-q", "trace").splitlines(), run("recorder2text", "-q", "copy").splitlines()):
    match = re.search(pattern, a), re.search(pattern, b)
    if not match[0]:
        continue
    for old, new in zip(match[0][1].split("/"), match[1][1].split("/"), strict=True):
        if names.setdefault(old, new) != new:
            sys.exit(f"{old} is {new} and {names[old]}")
        if old.endswith(".h5") and not new.endswith(".h5"):
            sys.exit(f"{old} has lost its ending")
if len(set(names.values())) != len(names) or len(names) < 10:
    sys.exit("two names are one")
calls = run("recorder2text", "-q", "--functions", "execve,posix_spawn*,execv*", "copy")
if not re.search(f"--[a-z0-9]*={names['Zanzibar']}/", calls):
    sys.exit("a path in an argument has another name")
END

# all segments of a process, also where its newest files are not there
numbers()
{
	recorder2text -q "$1" | sed 's/^\([^ ]* [^ ]* [^ ]* [^ ]* [^ ]* [^ ]* [A-Za-z0-9_]*\).*/\1/'
}
rm -rf Zanzibar && mkdir -p Zanzibar/Quixote Zanzibar/Ypsilon
RECORDER_ROTATE=4k recorder run -q -o divided -- python3 program.py || fail "program.py"
for last in "" "$(find divided -name '*-s1.rec' | head -n 1)"; do
	rm -rf "${last%-s1.rec}.rec" "${last%-s1.rec}.lm" divided.copy
	recorder anonymize -o divided.copy divided || fail "recorder anonymize of segments"
	quietly recorder check divided.copy || fail "recorder check of segments"
	expect_eq "$(find divided -name '*-s*.rec' | wc -l)" "$(find divided.copy -name '*-s*.rec' | wc -l)" "segments"
	numbers divided >one && numbers divided.copy >two
	[ "$(wc -l <one)" -ge 1000 ] && cmp -s one two || fail "other records of segments: $(diff one two | head -n 5)"
	recorder2text -q divided.copy | grep -E 'Zanzibar|Xylophone' && fail "names are in the copy of segments"
	find divided.copy -name "*.$(uname -n).*" | grep . && fail "the host is in names of segments"
done

# records in an encoding of later versions stay unreadable, and their bytes do not come along
cp -R trace later
python3 - later <<-'END' || fail "no chunk of records"
	import glob, struct, sys, zlib
	for path in sorted(glob.glob(sys.argv[1] + "/*.rec")):
	    data, at = bytearray(open(path, "rb").read()), 32
	    while at < len(data) and data[at + 4] != 2:
	        at += 96 + struct.unpack_from("<I", data, at + 8)[0]
	    if at < len(data):
	        data[at + 5] = 200
	        struct.pack_into("<I", data, at + 92, zlib.crc32(data[at:at + 92]))
	        open(path, "wb").write(data)
	        sys.exit(0)
	sys.exit(1)
END
recorder anonymize -o later.copy later 2>err || fail "recorder anonymize of an encoding of later versions"
grep -q '1 damaged or unknown parts were left out' err || fail "what is left out is not told: $(cat err)"
for which in later later.copy; do
	quietly recorder check $which || fail "recorder check of $which"
	recorder info -q --json $which >info.json
	info_number unreadable >$which.unreadable
done
[ "$(cat later.unreadable)" -gt 0 ] || fail "nothing is unreadable"
expect_eq "$(cat later.unreadable)" "$(cat later.copy.unreadable)" "unreadable records"
python3 - later.copy <<-'END' || fail "bytes that nobody understands are in the copy"
	import glob, struct, sys
	sizes = []
	for path in glob.glob(sys.argv[1] + "/*.rec"):
	    data, at = open(path, "rb").read(), 32
	    while at < len(data):
	        size, = struct.unpack_from("<I", data, at + 8)
	        sizes += [size] * (data[at + 5] == 200)
	        at += 96 + size
	sys.exit(sizes != [0])
END

# users have another number, the same one wherever they are
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 755 . && setpriv --reuid 54321 test -r "$RECORDER_SO"; then
	mkdir -m 777 users
	for name in one two; do
		setpriv --reuid 54321 env LD_PRELOAD="$RECORDER_SO" RECORDER_RUN_ID=users RECORDER_TRACES_DIR="$PWD/users/trace" \
			cat /dev/null || fail "cat as another user"
	done
	recorder anonymize -o users/copy users/trace || fail "recorder anonymize"
	PYTHONPATH=$TOP_SRCDIR/test PYTHONDONTWRITEBYTECODE=1 python3 - <<-'END' || fail "users"
		import decode
		was, now = ({stream.number("uid") for stream in decode.Trace(where).streams} for where in ("users/trace", "users/copy"))
		assert was == {54321} and len(now) == 1 and not now & {0, 54321}, (was, now)
	END
fi

# a key makes the same names again, chance others
recorder anonymize --key one -o first trace && recorder anonymize --key one -o second trace || fail "--key"
recorder anonymize -o third trace || fail "recorder anonymize"
recorder2text -q first >first.text && recorder2text -q second >second.text && recorder2text -q third >third.text
cmp -s first.text second.text || fail "the same key gives other names"
cmp -s first.text third.text && fail "without a key the names are the same"

# what cannot be done is said
recorder anonymize -o first trace 2>err && fail "an existing directory is taken"
recorder anonymize trace 2>err
expect_eq 2 $? "status without -o"
exit 0
