#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Every converter and every command that reads a trace says and writes the same as ranks of a launcher, however many, and leaves nothing beside it.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need_mpiexec
need_openmpi
need python3
tools=$TOP_BUILDDIR/tools
heat=$TOP_SRCDIR/test/sql/heat.rtrace

python3 "$TOP_SRCDIR/test/sql/made.py" made || fail "no trace"
cat >many.py <<'END'
import os
fd = os.open("data." + os.environ["OMPI_COMM_WORLD_RANK"], os.O_RDWR | os.O_CREAT)
for i in range(9000):
    os.pwrite(fd, b"x" * (1 + i % 3), i * 7919 % 100003)
    os.pread(fd, 1, i * 5)
END
# several streams that are worth sharing, and small ones of the launcher
RECORDER_STACKS=6 recorder run -q -o many "$MPIEXEC" -n 4 /usr/bin/python3 many.py || fail "cannot record"
recorder2text -q many >many.text || fail "recorder2text"
[ "$(wc -l <many.text)" -gt 40000 ] || fail "too few records"
damaged=broken
cp -r many broken && name=$(ls broken/*.rec | tail -n 1) && printf 'damage' | dd of="$name" bs=1 seek=9000 conv=notrunc 2>/dev/null || fail "cannot damage it"

# Each rank runs all of it, one command after the other. $1: where what is made goes, $2: the trace
cat >all.sh <<END
to=\$1 trace=\$2
PATH=$tools:\$PATH
only_first() { if [ "\${OMPI_COMM_WORLD_RANK:-0}" = 0 ]; then cat >"\$1"; else cat >"\$1.\$OMPI_COMM_WORLD_RANK"; fi; }
recorder2text -q -o \$to/text \$trace || echo "recorder2text: \$?" >>failed
recorder2text -q \$trace | only_first \$to/text.stdout
recorder2text -q --show mpi --layers mpi -o \$to/text.mpi \$trace || echo "recorder2text --show mpi: \$?" >>failed
recorder2csv -q -o \$to/csv \$trace || echo "recorder2csv: \$?" >>failed
recorder2csv -q --drishti -o \$to/drishti \$trace || echo "recorder2csv --drishti: \$?" >>failed
recorder2parquet -q -o \$to/parquet \$trace || echo "recorder2parquet: \$?" >>failed
recorder2collapsed -q -j 1 --by rank -o \$to/collapsed \$trace || echo "recorder2collapsed: \$?" >>failed
recorder2pfw -q -o \$to/pfw \$trace || echo "recorder2pfw: \$?" >>failed
recorder2pfw -q --format chrome -o \$to/chrome \$trace || echo "chrome: \$?" >>failed
recorder2pfw -q --format pfw2 -z -o \$to/pfw2 \$trace || echo "pfw2: \$?" >>failed
recorder2pfw -q --format chrome --split 500K -o \$to/split \$trace || echo "--split: \$?" >>failed
recorder filter -q -j 1 --layers posix,mpiio -o \$to/filtered \$trace || echo "recorder filter: \$?" >>failed
recorder filter -q -j 1 --layers posix,mpiio -o \$to/filtered.rtrace \$trace || echo "recorder filter, packed: \$?" >>failed
for verb in summary findings verify match info; do
	recorder \$verb -q --json \$trace | only_first \$to/\$verb
done
for form in --csv --collapse "--by stack --json --weight calls --top 20"; do
	recorder stacks -q \$form \$trace | only_first "\$to/stacks\$form"
done
recorder check \$trace | only_first \$to/check
recorder check -q --json \$trace | only_first \$to/check.json
if [ -x $tools/recorder2sqlite ]; then
	recorder2sqlite -q --no-args -o \$to/sqlite \$trace || echo "recorder2sqlite: \$?" >>failed
	recorder sql -q --csv \$trace 'SELECT function, count(*), sum(self) FROM records GROUP BY 1 ORDER BY 1' | only_first \$to/sql
fi
END

for trace in "$heat" made many $damaged; do
	name=$(basename "$trace")
	mkdir one.$name
	sh all.sh one.$name "$trace"
	for ranks in 1 2 3 7; do
		# as many for one trace as it takes to see that numbers do not matter
		[ $name = many ] || [ $ranks = 3 ] || continue
		mkdir $ranks.$name
		"$MPIEXEC" -n $ranks sh all.sh $ranks.$name "$trace" || fail "$ranks ranks, $name: exit status $?"
		find one.$name -type f ! -name sqlite -printf '%P\n' >files
		while read -r file; do
			cmp "one.$name/$file" "$ranks.$name/$file" || fail "$ranks ranks make something else of $name: $file"
		done <files
		# what ranks but the first have said, and all that is left
		others=$(cd $ranks.$name && find . -type f | while read -r file; do [ -s "$file" ] && [ ! -e "../one.$name/$file" ] && echo "$file"; done)
		expect_eq "" "$others" "what $ranks ranks left of $name"
	done
done

# what is broken in all ways: every so many of the corpus, all by one job
cat >check.sh <<END
for trace in \$(ls -d corpus/*/ | awk 'NR % 9 == 0'); do
	for verb in 'check --json' 'stacks --csv'; do
		$tools/recorder \$verb "\$trace" >"\$1.\${OMPI_COMM_WORLD_RANK:-0}" 2>&1
		status=\$?
		[ "\${OMPI_COMM_WORLD_RANK:-0}" != 0 ] || { echo "\$trace \$verb \$status" && cat "\$1.0"; } >>"\$1"
	done
done
END
python3 "$TOP_SRCDIR/test/format/broken.py" corpus >/dev/null || fail "no broken traces"
sh check.sh checked.one
for ranks in 2 7; do
	"$MPIEXEC" -n $ranks sh check.sh checked.$ranks
	cmp checked.one checked.$ranks || fail "$ranks ranks find something else in broken traces: $(diff checked.one checked.$ranks | head)"
done
[ "$(wc -l <checked.one)" -gt 500 ] || fail "too little in broken traces"
[ ! -e failed ] || fail "exit status of $(sort failed | uniq -c)"
if [ -x "$tools/recorder2sqlite" ]; then
	python3 - <<'END' || fail "databases"
import glob, sqlite3, sys
def dump(path):
    base = sqlite3.connect(path)
    return [*base.iterdump(), base.execute("SELECT * FROM sqlite_stat1 ORDER BY 1, 2, 3").fetchall(), base.execute("PRAGMA integrity_check").fetchall()]
wrong = [path for path in sorted(glob.glob("[0-9].*/sqlite")) if dump(path) != dump("one" + path[1:])]
sys.exit(f"they are not the same: {wrong}" if wrong else 0)
END
fi
exit 0
