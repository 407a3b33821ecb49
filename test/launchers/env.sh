#!/bin/sh
# SPDX-License-Identifier: MIT
# recorder env --launcher: a shell makes of each line the words that the launcher is to get, whatever blanks, quotes and
# dollars are in them.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"

mkdir bin "a b"
for name in mpirun mpiexec srun flux apptainer docker; do
	cp "$TOP_SRCDIR/test/launchers/fake" "bin/$name"
	chmod +x "bin/$name"
done
here=$PWD
dir="$here/a b/it's \$HOME %j"
tags='one "two" $three `four`'
library=$(readlink -f "$TOP_BUILDDIR/.libs")/librecorder.so

# LAUNCHER: what the fake one gets, into got
launch()
{
	line=$(recorder env --launcher "$1" -o "$dir" --layers mpi,posix --tags "$tags") || fail "recorder env: $1"
	expect_eq 1 "$(printf '%s\n' "$line" | wc -l)" "lines of $1"
	(PATH=$here/bin:$PATH && eval "$line -np 4 ./app 'x y'") >got || fail "$1: $line"
}

expect()
{
	cat >want
	diff -u want got || fail "$1"
}

launch openmpi
expect openmpi <<END
arg -x
arg LD_PRELOAD=$library
arg -x
arg RECORDER_LAYERS=mpi,posix
arg -x
arg RECORDER_TAGS=$tags
arg -x
arg RECORDER_TRACES_DIR=$dir
arg -np
arg 4
arg ./app
arg x y
END

launch mpich
sed -i 's/^arg [^ ]*-[0-9]*-[0-9]*$/arg A RUN/' got
expect mpich <<END
arg -genv
arg LD_PRELOAD
arg $library
arg -genv
arg RECORDER_LAYERS
arg mpi,posix
arg -genv
arg RECORDER_TAGS
arg $tags
arg -genv
arg RECORDER_TRACES_DIR
arg $dir
arg -genv
arg RECORDER_RUN_ID
arg A RUN
arg -np
arg 4
arg ./app
arg x y
END

launch slurm
expect slurm <<END
env RECORDER_LAYERS=mpi,posix
env RECORDER_TAGS=$tags
env RECORDER_TRACES_DIR=$dir
arg --export=ALL,LD_PRELOAD=$library
arg -np
arg 4
arg ./app
arg x y
END

launch flux
expect flux <<END
arg run
arg --env=LD_PRELOAD=$library
arg --env=RECORDER_LAYERS=mpi,posix
arg --env=RECORDER_TAGS=$(printf '%s' "$tags" | sed 's/\$/$$/g')
arg --env=RECORDER_TRACES_DIR=$(printf '%s' "$dir" | sed 's/\$/$$/g')
arg -np
arg 4
arg ./app
arg x y
END

launch pals
expect pals <<END
arg --env
arg LD_PRELOAD=$library
arg --env
arg RECORDER_LAYERS=mpi,posix
arg --env
arg RECORDER_TAGS=$tags
arg --env
arg RECORDER_TRACES_DIR=$dir
arg -np
arg 4
arg ./app
arg x y
END

launch apptainer
expect apptainer <<END
env APPTAINERENV_RECORDER_LAYERS=mpi,posix
env APPTAINERENV_RECORDER_TAGS=$tags
env APPTAINERENV_RECORDER_TRACES_DIR=$dir
arg exec
arg --env
arg LD_PRELOAD=$library
arg --bind
arg $library:$library:ro
arg --bind
arg $here/a b:$here/a b
arg --bind
arg /dev/shm:/dev/shm
arg -np
arg 4
arg ./app
arg x y
END

launch docker
expect docker <<END
arg run
arg --pid=host
arg -e
arg LD_PRELOAD=$library
arg -e
arg RECORDER_LAYERS=mpi,posix
arg -e
arg RECORDER_TAGS=$tags
arg -e
arg RECORDER_TRACES_DIR=$dir
arg -v
arg $library:$library:ro
arg -v
arg $here/a b:$here/a b
arg -v
arg /dev/shm:/dev/shm
arg -np
arg 4
arg ./app
arg x y
END

# what is preloaded already stays, but for another recorder; names that do not exist are the loader's to complain of
preloads()
{
	LD_PRELOAD=$1 recorder env 2>/dev/null | sed -n "s/^export LD_PRELOAD='\(.*\)'/\1/p" >got
	expect_eq "$2" "$(cat got)" "LD_PRELOAD=$1"
}
preloads "" "$library"
preloads ":/no/b.so: /no/librecorder.so" "$library:/no/b.so"
preloads "/no/b.so:$library /no/c.so" "/no/b.so:$library:/no/c.so"

# what cannot be passed is refused, not passed wrongly
recorder env --launcher docker -o "$here/a:b/c" >got 2>err || true
mkdir "$here/a:b"
recorder env --launcher docker -o "$here/a:b/c" >got 2>err && fail "docker takes a path with a colon"
grep -q "cannot hold" err || fail "docker: $(cat err)"
recorder env --launcher openmpi --tags 'a;b' >got 2>err && fail "openmpi takes a semicolon"
recorder env --launcher torque >got 2>err
expect_eq 2 $? "status for an unknown launcher"
exit 0
