#!/bin/sh
# SPDX-License-Identifier: MIT
# Python with numpy: imports hundreds of files, starts threads, saves and maps arrays.
. "${TOP_SRCDIR:?}/test/real/compare.sh"
need python3
/usr/bin/python3 -c 'import numpy' 2>/dev/null || {
	[ -z "${CI:-}" ] || fail "numpy is missing (package python3-numpy)"
	skip "numpy is missing (package python3-numpy)"
}

mkdir input
cat >input/job.py <<'END_OF_PROGRAM'
import subprocess
import sys
import threading

import numpy as np

table = np.arange(250000, dtype=np.float64).reshape(500, 500)
np.save("table.npy", table)
np.savez_compressed("both.npz", a=table, b=table.T)
np.savetxt("some.txt", table[:20, :5])
mapped = np.lib.format.open_memmap("mapped.npy", mode="w+", dtype="i8", shape=(1000,))
mapped[:] = np.arange(1000)
mapped.flush()
same = np.array_equal(np.load("table.npy", mmap_mode="r") @ np.eye(500), table)


def work(number):
    with open(f"part.{number}", "wb", buffering=0) as file:
        for row in table[number::4]:
            file.write(row.tobytes())


threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(same, np.loadtxt("some.txt").sum(), np.load("both.npz")["b"][3, 4])
print(subprocess.run(["cat", "no-such-file"]).returncode, flush=True)
sys.exit(3)
END_OF_PROGRAM

# zip members carry the time of day
normal_files()
{
	"$PYTHON" -B -c '
import sys, zipfile
for name in sorted(zipfile.ZipFile(sys.argv[1] + "/both.npz").namelist()):
    data = zipfile.ZipFile(sys.argv[1] + "/both.npz").read(name)
    open(sys.argv[1] + "/both." + name, "wb").write(data)' "$1"
	rm "$1/both.npz"
}

both /usr/bin/python3 -B job.py
expect_eq 3 "$(cat traced.status)" "status"
for number in 0 1 2 3; do
	expect_eq 125 "$(calls --functions write | grep -c "part\.$number\", count=4000) = 4000\$")" \
		"writes to part.$number"
done
at_least 5 "$(info trace 'max(s["threads"] for s in info["streams"])')" "threads"
