#!/bin/sh
# SPDX-License-Identifier: MIT
# Each command and verb has a manual page that formats without a warning, has all options of its --help, and names pages that there are; and bash
# completes its options.
. "${TOP_SRCDIR:?}/test/lib.sh"
need man man-db
need mandoc
pages=$TOP_SRCDIR/doc/man
status=0
wrong()
{
	echo "wrong: $*"
	status=1
}

verbs=$(recorder --help | sed -n 's/^  recorder \([a-z]*\)  .*/\1/p')
[ "$(echo "$verbs" | wc -l)" -gt 15 ] || fail "few verbs: $verbs"

mkdir man1 man3
cp "$pages"/*.1 man1
cp "$pages"/*.3 man3
for page in man1/* man3/*; do
	# a sentence that begins in the midst of a line is how they are written
	mandoc -Tlint -W warning "$page" | grep -v -e 'new sentence, new line' -e '\.so is fragile' >lint.out
	[ ! -s lint.out ] || wrong "$(cat lint.out)"
	man --warnings -l "$page" >formatted 2>warnings || wrong "$page: man gives $?"
	[ ! -s warnings ] || wrong "$page: $(cat warnings)"
	lexgrog "$page" >name 2>&1 || wrong "$page has no name for apropos: $(cat name)"
	for see in $(sed -n 's/^\.Xr \(recorder[a-z0-9-]*\) \([0-9]\).*/man\2\/\1.\2/p' "$page"); do
		[ -f "$see" ] || wrong "$page speaks of $see, which is not there"
	done
done

# PAGE COMMAND...: options
options()
{
	page=$1
	shift
	"$@" --help >help || wrong "$*: --help gives $?"
	grep -q -i '^example' help || wrong "$*: --help has no examples"
	[ -s "$page" ] || {
		wrong "$* has no manual page"
		return
	}
	! grep -q '^\.so ' "$page" || page=$(sed -n 's/^\.so //p' "$page")
	for option in $(sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}--\([a-z0-9-]*\).*/\2/p' help); do
		grep -q "Fl -$option\|, -$option" "$page" || grep -q 'options are those of' "$page" || wrong "$page does not have --$option"
	done
}
for verb in $verbs; do
	options "man1/recorder-$verb.1" recorder "$verb"
done
commands=$(cd "$TOP_BUILDDIR/tools" && find . -maxdepth 1 -type f -perm -u+x -name 'recorder*' | sed 's|^\./||')
for command in $commands; do
	[ "$command" = recorder ] || options "man1/$command.1" "$command"
done

# completion: of verbs, of each command's options
command -v bash >/dev/null && bash -c '
	set -u
	. "$1"
	names=$3; asked() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _recorder; echo "${COMPREPLY[*]}"; }
	asked recorder summ
	for verb in $2; do
		case " $(asked recorder "$verb" --he) " in *" --help "*) ;; *) echo "no options of $verb" ;; esac
	done
	asked recorder2text --forc
	asked recorder run -- --fo
	for name in $3; do complete -p "$name" >/dev/null || echo "$name is not completed"; done
' bash "$TOP_SRCDIR/tools/recorder.bash-completion" "$(echo "$verbs" | tr '\n' ' ')" "$commands" >completed 2>&1
[ -e completed ] && printf 'summary\n--force\n\n' | diff - completed || wrong "completion"
exit $status
