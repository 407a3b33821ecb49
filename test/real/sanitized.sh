#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs built with a sanitizer: they do the same under the recorder, the sanitizer reports the same
# mistakes of theirs and none of ours, and their calls are in the trace.
# timeout: 300
. "${TOP_SRCDIR:?}/test/lib.sh"
[ -z "${SANITIZERS:-}" ] || skip "two sanitizers do not go together"
need python3

# A report without what differs from run to run: numbers, and who wins a race
normal()
{
	if grep -q 'data race' "$1"; then
		grep -E '^(WARNING|SUMMARY)' "$1" | sort -u
	else
		cat "$1"
	fi | sed -E -e 's/0x[0-9a-f]+/ADDRESS/g' -e 's/==[0-9]+==/==PID==/g' -e 's/pid=[0-9]+/pid=PID/g' -e '/ in spanned_main /d' -e 's/#[0-9]+ /#N /'
}

# once NAME CMD...: runs CMD in an empty directory
once()
{
	name=$1
	shift
	mkdir work
	(cd work && "$@" >../"$name.out" 2>../"$name.raw" </dev/null)
	echo "status $?" >>"$name.out"
	normal "$name.raw" >"$name.err"
	rm -rf "$name.files"
	mv work "$name.files"
}

# try PROGRAM MISTAKE PATTERN: the pattern is in the report, "" if there is to be none
try()
{
	rm -rf trace
	once bare ../"$1" "$2"
	once traced recorder run -q -o ../trace -- ../"$1" "$2"
	diff bare.out traced.out >&2 || fail "$1 $2: other output: $(cat traced.raw)"
	diff bare.err traced.err >&2 || fail "$1 $2: other report"
	diff -r bare.files traced.files >&2 || fail "$1 $2: other files"
	if [ -n "$3" ]; then
		grep -q "$3" bare.err || fail "$1 $2: nothing is reported: $(cat bare.raw)"
	else
		expect_eq "status 5" "$(tail -n 1 bare.out)" "$1 $2"
	fi
	recorder check -q trace || fail "$1 $2: recorder check"
	# four threads and the child, 100 each
	expect_eq 500 "$(recorder2text -q --functions pwrite trace | grep -c '= 4$')" "$1 $2: pwrite"
	recorder2text -q --functions fork trace | grep -q . || fail "$1 $2: fork"
	expect_eq 4 "$(recorder2text -q --functions pwrite trace | grep 'thread\.' |
		cut -d' ' -f2 | sort -u | wc -l)" "$1 $2: threads"
}

built=0
for compiler in gcc clang; do
	for sanitizer in address thread undefined; do
		program=$compiler-$sanitizer
		# without frame pointers a sanitizer's stacks of malloc() end in what happens to lie on the stack
		$compiler -g -O1 -fno-omit-frame-pointer -w -fsanitize=$sanitizer -o $program \
			"$TOP_SRCDIR/test/real/sanitized.c" 2>/dev/null && ./$program >first 2>&1
		# it is there, and it can run here
		tail -n 1 first 2>/dev/null | grep -q '^done$' || continue
		built=$((built + 1))
		find . -maxdepth 1 -type f ! -name "$program" -exec rm {} +
		try $program none ""
		case $sanitizer in
		address)
			try $program overflow 'heap-buffer-overflow'
			try $program read 'heap-buffer-overflow'
			try $program leak 'LeakSanitizer'
			# only the recorder looks at the name, and it must not report it
			try $program freed ""
			;;
		thread) try $program race 'data race' ;;
		esac
	done
done
[ $built -gt 0 ] || skip "no compiler here builds programs with a sanitizer"
echo "$built compilers and sanitizers"
