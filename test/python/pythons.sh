# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced after test/lib.sh: $pythons, a word for each interpreter of this machine, Debian's first, of versions from 3.8 on.
#
#   is_since MINOR   whether $python is of 3.MINOR or later

pythons=
for python in /usr/bin/python3 "$HOME"/.pyenv/versions/3.*/bin/python3 $(
	IFS=:
	for folder in $PATH; do
		ls "$folder"/python3.[0-9] "$folder"/python3.[0-9][0-9] 2>/dev/null
	done
); do
	# a shim starts the one that is chosen, or none; each once
	real=$("$python" -c 'import os, sys
sys.version_info >= (3, 8) and print(os.path.realpath(sys.executable))' 2>/dev/null) || continue
	case " $pythons " in
	*" $real "*) ;;
	*) pythons="$pythons${pythons:+ }$real" ;;
	esac
done
[ -n "$pythons" ] || skip "no Python"

is_since()
{
	"$python" -c "import sys; sys.exit(sys.version_info < (3, $1))"
}
