#!/bin/sh
# SPDX-License-Identifier: MIT
# What the compiler made of hot wrappers: two time stamps, no lock, no malloc, no call for thread-local memory, and no other call than the real function and what
# is rarely needed. A new one is to be looked at before it is put into the list.
. "${TOP_SRCDIR:?}/test/lib.sh"
need objdump binutils
[ -z "${SANITIZERS:-}" ] || skip "a sanitizer adds calls of its own"
[ "$(uname -m)" = x86_64 ] || skip "the instructions are those of x86-64"
! grep -q '^CFLAGS = .*-O0' "$TOP_BUILDDIR/Makefile" || skip "nothing is inlined at -O0"

# found at first use; counted loss; a descriptor or page seen for the first time; the clock where the counter cannot be trusted
RARE='symbol_resolve loss_of_call descriptor_file_slow clock_monotonic_ticks readable_slow call_stack call_unwound'

for function in pwrite pread write read fwrite; do
	objdump -d --no-show-raw-insn --disassemble="$function" "$RECORDER_SO" >code || fail "objdump"
	expect_eq 2 "$(grep -c 'rdtsc' code)" "time stamps of $function"
	! grep -E '\slock |xchg .*\(|<(malloc|calloc|realloc|free)@|__tls_get_addr' code || fail "$function has what a hot path must not have"
	sed -n 's/.*call  *[0-9a-f]* <\([A-Za-z0-9_.]*\)>.*/\1/p' code | sed 's/\.\(part\|cold\|constprop\|isra\).*//' | sort -u >calls
	for call in $(cat calls); do
		case " $RARE " in
		*" $call "*) ;;
		*) fail "$function calls $call" ;;
		esac
	done
	grep -qE 'call +\*' code || fail "$function does not call the real one"
done
exit 0
