#!/bin/sh
# SPDX-License-Identifier: MIT
# Call sites are shown by function, file and line: of C, C++ and Fortran, by symbols alone, by offset where there are none; of programs
# that have moved, but never by a file that is another one.
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
sources=$TOP_SRCDIR/test/stacks
with_libdw=$TOP_BUILDDIR/test/stacks/with-libdw

# trace PROGRAM: into PROGRAM.trace
trace()
{
	(unset DEBUGINFOD_URLS && RECORDER_TRACES_DIR=$PWD/$1.trace preload "./$1")
}

# sites [OPTION]... TRACE: function=site of each call
sites()
{
	recorder2text --callsites "$@" 2>notes | sed -n 's/^[^(]* \([a-z]*\)(.*{callsite="\(.*\)"}$/\1=\2/p'
}

# at SOURCE FUNCTION: the line that is marked with it
at()
{
	grep -n "at $2 \*/" "$sources/$1" | sed "s/:.*//;s/^/$1:/"
}

c()
{
	gcc -g -O2 -Wno-unused-result -o c "$sources/sites.c" && trace c || return 1
	sites c.trace >c.sites
	cat >c.expected <<-END
		open=main $(at sites.c main)
		pwrite=put $(at sites.c put)
		write=save $(at sites.c save)
	END
	grep -v ^close= c.sites | diff c.expected - && recorder2text c.trace >plain && ! grep '{callsite' plain
}

# the same without DWARF: the symbol and the offset; without symbols: the offset alone
symbols()
{
	cp c with_symbols && strip -g with_symbols && trace with_symbols || return 1
	sites with_symbols.trace | grep -E '^write=save with_symbols\+0x[0-9a-f]+$' || return 1
	cp c bare && strip bare && trace bare && sites bare.trace | grep -E '^write=bare\+0x[0-9a-f]+$' && [ ! -s notes ]
}

cxx()
{
	g++ -g -O2 -Wno-unused-result -o cxx "$sources/sites.cc" && trace cxx || return 1
	sites --functions write cxx.trace | grep -Fx "write=store::shelf<int>::save(int) $(at sites.cc 'store::shelf<int>::save(int)')"
}

# it writes no table of the addresses of its units
clang_c()
{
	clang -g -O1 -Wno-unused-result -o by_clang "$sources/sites.c" && trace by_clang || return 1
	sites by_clang.trace >by_clang.sites
	grep -v ^close= by_clang.sites | diff c.expected -
}

fortran()
{
	gfortran -g -O0 -o fortran "$sources/sites.f90" && trace fortran || return 1
	sites --functions close fortran.trace >fortran.sites
	grep -x 'close=mesh::save sites.f90:15' fortran.sites && grep -x 'close=heat sites.f90:23' fortran.sites
}

filter()
{
	[ "$(sites --callers save c.trace | sed 's/=.*//' | tr '\n' ' ')" = "pwrite write " ] &&
		[ "$(sites --callers 'sites.c' c.trace | wc -l)" -gt 2 ] &&
		[ "$(sites --callers "$(at sites.c put),none" c.trace | sed 's/=.*//')" = pwrite ] &&
		! sites --callers '-sites.c' c.trace | grep -E '^(open|pwrite|write)=' &&
		sites --callers 'store::shelf<int>::save' cxx.trace | grep ^write= &&
		[ "$(sites --callers /nowhere c.trace)" = "" ]
}

# by folder, by path below a folder, by build-id; another file is refused by name
moved()
{
	mkdir -p there "root/$PWD" && cp c there/c && cp c "root/$PWD/c" && mv c else || return 1
	id=$(readelf -n else | sed -n 's/.*Build ID: //p')
	mkdir -p "by-id/.build-id/$(echo "$id" | cut -c1-2)"
	cp else "by-id/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug"
	sites c.trace | grep -x 'write=c+0x[0-9a-f]*' && grep "cannot find '$PWD/c', build-id $id" notes || return 1
	for place in there none:there root by-id else; do
		sites --symbols $place c.trace | diff - c.sites && [ ! -s notes ] || return 1
	done
	cp cxx there/c && sites --symbols there c.trace | grep -x 'write=c+0x[0-9a-f]*' &&
		grep "'there/c' is not what was traced, its build-id is not $id" notes && cp cxx c || return 1
	sites c.trace | grep -x 'write=c+0x[0-9a-f]*' && grep "'$PWD/c' is not what was traced" notes || return 1
	# neither a folder nor something that never ends
	rm -f c there/c && mkdir c && mkfifo there/c && sites --symbols there c.trace | grep -x 'write=c+0x[0-9a-f]*'
}

# libraries that were there for a call, at the same place one after the other; with stacks, too
unloaded()
{
	for name in one two; do
		gcc -g -O1 -shared -fPIC -DNAME=$name -o $name.so "$sources/plugin.c" || return 1
	done
	gcc -o plugins "$sources/plugins.c" -ldl || return 1
	for depth in 0 16; do
		RECORDER_STACKS=$depth RECORDER_TRACES_DIR=plugins.$depth preload ./plugins ./one.so one ./two.so two || return 1
		sites --functions pwrite plugins.$depth >plugins.sites
		[ "$(sed 's/=\([a-z]*\).*/ \1/' plugins.sites | tr '\n' ' ')" = "pwrite one pwrite two pwrite one pwrite two " ] || return 1
	done
}

# without elfutils all is shown by offset
offsets()
{
	gcc -g -O2 -Wno-unused-result -o c "$sources/sites.c" && trace c && sites c.trace | grep -x 'write=c+0x[0-9a-f]*'
}

try()
{
	("$@") >log 2>&1
	report $? "$1" log
}

for compiler in gcc g++ gfortran strip readelf; do
	need $compiler
done
if [ ! -e "$with_libdw" ]; then
	echo 1..1
	try offsets
	exit
fi
echo 1..8
try c
if command -v clang >/dev/null; then
	try clang_c
else
	report_skip "no clang"
fi
try symbols
try cxx
try fortran
try filter
try moved
try unloaded
