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
# a call that lies in others, or does not stay in place
RARE="$RARE call_enter_nested call_enter_far call_start_far call_stop_far call_leave_far"

# disassembles a function into `code`, and looks at it: its time stamps, what it calls
look() # FUNCTION STAMPS RARE...
{
	function=$1 stamps=$2 rare=$3
	objdump -d --no-show-raw-insn --disassemble="$function" "$RECORDER_SO" >code || fail "objdump"
	expect_eq "$stamps" "$(grep -c 'rdtsc' code)" "time stamps of $function"
	! grep -E '\slock |xchg .*\(|<(malloc|calloc|realloc|free)@|__tls_get_addr' code || fail "$function has what a hot path must not have"
	sed -n 's/.*call  *[0-9a-f]* <\([A-Za-z0-9_.]*\)>.*/\1/p' code | sed 's/\.\(part\|cold\|constprop\|isra\).*//' | sort -u >calls
	! grep -q "<$function\.cold" code || fail "$function goes on elsewhere"
	for call in $(cat calls); do
		case " $rare " in
		*" $call "*) ;;
		*) fail "$function calls $call" ;;
		esac
	done
}

for function in pwrite pread write read fwrite; do
	look $function 2 "$RARE"
	grep -qE 'call +\*' code || fail "$function does not call the real one"
done

# an array; more elements than there is room for are elsewhere
look readv 2 "$RARE arg_parts_slow call_may_grow"

# characters that are only counted: no frame, and all else is jumped to; clang makes one where a function asks for the address of its frame, and calls more than it jumps to
case $(sed -n 's/^CC = //p' "$TOP_BUILDDIR/Makefile") in
*clang*) pushed='push  *%\(r[^b]\|rbx\)' outlined='begin_off enter_with' ;;
*) pushed='push ' outlined='' ;;
esac
for function in fgetc fputc ungetc fflush; do
	look $function 0 ''
	! grep -q "$pushed" code || fail "$function has a frame"
done

# what begins in one function and ends in another; the rest is jumped to
for function in region_begin region_end __cyg_profile_func_enter __cyg_profile_func_exit native_enter native_fentry_enter; do
	look $function 1 "$outlined"
done
look native_leave 1 result_of
exit 0
