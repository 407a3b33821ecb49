#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions of Python by name, by each Python of this machine: recursion, generators, coroutines, exceptions, threads, all as often and as deep as they run; the program does the
# same; however it is started, and in what it starts.
. "${TOP_SRCDIR:?}/test/lib.sh"
. "$TOP_SRCDIR/test/python/pythons.sh"
skip_under_tsan
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# Level, name and end of each record of layer python: those of the first thread, or with "all" of all.
events()
{
	recorder2text -q --layers python "$1" | awk -v all="${2:-}" 'NR == 1 { first = $2 }
		$2 == first || all { sub(/\(id=.*/, " life", $7); sub(/\(\)/, "", $7); sub(/__main__\./, "", $7); print $5, $7, $9 }'
}

status_of()
{
	"$@" >/dev/null 2>&1
	echo $?
}

# traced DIR OPTION... -- CMD...: the output must be "done".
traced()
{
	dir=$1
	shift
	rm -rf "$dir"
	recorder run -q -o "$dir" "$@" >out 2>err </dev/null || fail "$python: status $? of $*: $(cat err)"
	expect_eq "done" "$(cat out)" "$python: $*"
}

cat >want <<-'END'
	0 main return
	1 recurse return
	2 recurse return
	3 recurse return
	4 recurse return
	5 recurse return
	6 recurse return
	7 recurse return
	8 recurse return
	9 recurse return
	10 recurse return
	1 generators return
	2 runs_out life span_begin
	2 runs_out yield
	2 runs_out yield
	2 runs_out return
	2 runs_out life span_end
	2 thrown_into life span_begin
	2 thrown_into yield
	2 thrown_into yield
	2 thrown_into exception
	2 thrown_into life span_end
	2 cleaned life span_begin
	2 cleaned yield
	2 cleaned exception
	3 plain return
	2 cleaned life span_end
	2 cleaned life span_begin
	2 cleaned yield
	2 cleaned exception
	3 plain return
	2 cleaned life span_end
	2 delegates life span_begin
	2 delegates yield
	3 runs_out life span_begin
	3 runs_out yield
	2 delegates yield
	3 runs_out yield
	2 delegates return
	3 runs_out return
	3 runs_out life span_end
	2 delegates life span_end
	1 Kinds.method return
	1 Kinds.static return
	1 Kinds.of_class return
	1 Kinds.as_property return
	1 Kinds.__call__ return
	1 outer return
	2 outer.<locals>.inner return
	1 catches return
	2 passes_on exception
	3 fails exception
	1 main.<locals>.<lambda> return
	1 main.<locals>.<lambda> return
	1 together life span_begin
	1 together yield
	2 coroutine life span_begin
	2 coroutine yield
	1 together yield
	2 coroutine yield
	1 together yield
	2 coroutine return
	2 coroutine life span_end
	2 agenerator life span_begin
	2 agenerator yield
	2 agenerator yield
	1 together return
	2 agenerator yield
	2 agenerator return
	2 agenerator life span_end
	1 together life span_end
	1 threads return
END
cat >deep.py <<-'END'
	import sys
	sys.setrecursionlimit(1000000)
	def down(n):
	    return 0 if n == 0 else 1 + down(n - 1)
	def bottom():
	    return 0
	def other(n):
	    return bottom() if n == 0 else 1 + other(n - 1)
	assert down(500000) == other(500000) == 500000
	bottom()
	print("done")
END
# another user of words in code objects, who put none into these: its function, which may be gone by then, is not called for ours
cat >extras.py <<-'END'
	import ctypes, gc
	python = ctypes.pythonapi
	request = getattr(python, "PyUnstable_Eval_RequestCodeExtraIndex", None) or python._PyEval_RequestCodeExtraIndex
	called = []
	function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(called.append)
	request.argtypes, request.restype = [type(function)], ctypes.c_ssize_t
	assert request(function) >= 0
	names = {}
	exec("def target(): pass\ndef other(): pass", names)
	names["target"](), names["other"]()
	names.clear()
	gc.collect()
	assert not called, called
	print("done")
END
cat >interpreters.py <<-'END'
	try:
	    import _interpreters as interpreters
	except ImportError:
	    import _xxsubinterpreters as interpreters
	def outside():
	    pass
	run = getattr(interpreters, "run_string", None) or interpreters.exec
	for _ in range(3):
	    one = interpreters.create()
	    run(one, """
	def inside():
	    yield 1
	list(inside()) + list(inside())
	""")
	    interpreters.destroy(one)
	    outside()
	print("done")
END
cat >children.py <<-'END'
	import multiprocessing, sys
	def work(n):
	    return n + 1
	if __name__ == "__main__":
	    for how in sys.argv[1:]:
	        with multiprocessing.get_context(how).Pool(1) as pool:
	            assert pool.map(work, range(3), chunksize=1) == [1, 2, 3]
	    print("done")
END

cat >forking.py <<-'END'
	import os, sys, threading
	def twice(n):
	    return n + n
	def forks():
	    child = os.fork()
	    if child == 0:
	        twice(1)
	    else:
	        assert os.waitpid(child, 0)[1] == 0
	        twice(2)
	    return child
	def outer():
	    return forks()
	def thread():
	    if forks() == 0:
	        os._exit(0)
	    print("done")
	if outer() == 0:
	    sys.exit(0)
	one = threading.Thread(target=thread)
	one.start()
	one.join()
END

for python in $pythons; do
	traced trace -t '__main__:*' -t '__main__:*<lambda>' -- "$python" "$TOP_SRCDIR/test/python/all_calls.py"
	events trace >got
	diff want got || fail "$python: what is to be recorded (<) and what is (>)"
	# four threads, each 21 deep
	expect_eq "94" "$(events trace all | grep -c ' recurse return')" "$python: calls of all threads"
	expect_eq "4" "$(events trace all | grep -c '^20 recurse return')" "$python: calls 20 deep"
	recorder check -q trace || fail "$python: recorder check"

	# a program that counts what it does itself; what never began has no records
	rm -rf counts
	recorder run -q -o counts -t '__main__:*' -t made:inner_exec -- "$python" "$TOP_SRCDIR/test/python/self_counting.py" counted >out 2>err || fail "$python: status $?: $(cat err)"
	LC_ALL=C sort counted >want.counts
	recorder2text -q --layers python counts | awk '/\(id=/ { next }
		FILENAME == "counted" { known[$1] = 1; next }
		{ name = $7; sub(/\(.*$/, "", name); sub(/^(__main__|made)\./, "", name); sub(/:[0-9]+$/, "", name) }
		known[name] || name == "g_unstarted" { calls[name " " $NF]++ }
		END { for (call in calls) print call, calls[call] }' counted - | LC_ALL=C sort >got.counts
	diff want.counts got.counts || fail "$python: what it counted (<) and what is recorded (>)"
	recorder check -q counts || fail "$python: recorder check of counts"

	# all functions are Python's; those of the interpreter itself are named by it
	traced all -t '*' -t 'PyList_*' -- "$python" -c 'print("done")'
	expect_eq 0 "$(recorder2text -q --layers native all | wc -l)" "$python: native functions by globs"
	[ "$(recorder2text -q --layers python all | wc -l)" -gt 20 ] || fail "$python: functions of '*'"
	expect_eq "* functions of Python are found when they are called" "$(recorder run -q --dry-run -t '*' -- "$python" -c 1 | sed 's/  */ /')" "$python: dry run"
	recorder run -q --dry-run -t '*python3*:PyList_*' -- "$python" -c 1 | grep -q '^PyList_Append .*python3' || fail "$python: functions of the interpreter"
	recorder run -q --dry-run -t PyList_Append -- "$python" -c 1 | grep -q '^PyList_Append .*python3' || fail "$python: a function of the interpreter"

	traced extras -t target -- "$python" extras.py
	events extras | grep -q '^0 target return' || fail "$python: beside another user of code extras"

	# what a child returns from was called in its parent
	traced forking -t twice -t forks -t outer -- "$python" -W ignore forking.py
	expect_eq "1 outer 2 forks 4 twice" "$(events forking all | awk '{ print $2 }' | sort | uniq -c | sort -n | sed 's/^ *//' | paste -sd ' ')" "$python: over forks"

	traced interpreters -t inside -t outside -- "$python" interpreters.py
	expect_eq "3 outside return 6 inside yield 18 inside return" \
		"$(events interpreters all | sed 's/ life span_[a-z]*/ return/; s/^0 //' | sort | uniq -c | sort -n | sed 's/^ *//' | paste -sd ' ')" \
		"$python: of interpreters"
	# recursion that Python can do with its calls not on the C stack
	if is_since 11; then
		traced deep -t nothing -t bottom -- "$python" deep.py
		events deep | grep -q '^0 bottom return' || fail "$python: nothing is recorded after the depth"
		traced deep -t down -- "$python" deep.py
		events deep | grep -q '^255 down return' || fail "$python: calls are not recorded down there"
	fi
done

# ---- children: by fork, by a new Python, by a server; ended by signals ----
for python in $pythons; do
	traced children -t work -- "$python" children.py fork spawn forkserver
	expect_eq 9 "$(events children all | grep -c ' [_a-z.]*work return')" "$python: of children"
	is_since 12 || continue
	break
done

# ---- however it is started ----
python=/usr/bin/python3
[ -x $python ] || python=${pythons%% *}
cat >module.py <<-'END'
	def f():
	    return 1
	class C:
	    def m(self):
	        def inner():
	            return 1
	        return inner()
	f()
	C().m()
	print("done")
END
for options in "-I -S -E module.py" "-m module" "-c import_module"; do
	# shellcheck disable=SC2086
	case $options in
	-c*) traced how -t f -- "$python" -c 'import module' ;;
	*) traced how -t f -- "$python" $options ;;
	esac
	expect_eq "0 f return" "$(events how | sed 's/module\.//')" "python $options"
done
recorder run -q -o how2 -t f -- "$python" - <module.py >out || fail "by stdin"
expect_eq "0 f return" "$(events how2)" "by stdin"

# ---- what targets can be ----
for target in f module.f module:f 'mod*:f' module.py:f module.py:2 '*.py:f' "$PWD/module.py:2"; do
	traced what -t "$target" -- "$python" -c 'import module'
	expect_eq "0 module.f return" "$(events what)" "-t $target"
done
for target in C.m C::m module.C.m module:C.m 'C.[m]' module.py:7; do
	traced what -t "$target" -- "$python" module.py
	expect_eq "0 C.m return" "$(events what)" "-t $target"
done
for target in inner m.inner 'C.m.<locals>.inner' module:C.m.inner module.py:6; do
	traced what -t "$target" -- "$python" module.py
	expect_eq "0 C.m.<locals>.inner return" "$(events what)" "-t $target"
done
traced what --layers posix -t f -- "$python" module.py
expect_eq "0 f return" "$(events what)" "with other layers"
traced what --layers all,-python -t f -- "$python" module.py
expect_eq "" "$(events what)" "without the layer"
expect_eq 125 "$(status_of recorder run -q --strict -o no -t innr -- "$python" module.py)" "--strict"
recorder run -o no -t innr -- "$python" module.py 2>&1 | grep -q "is it __main__.C.m.<locals>.inner" || fail "no near match"

# ---- what else there is of a call ----
recorder run -v -o more --usage -t f -- "$python" module.py >out 2>err || fail "--usage"
expect_eq "recorder: call __main__.f recorder: return __main__.f" "$(grep '__main__' err | paste -sd ' ')" "-v"
recorder2text -q --layers python more | grep -q '__main__.f(cpu_start=[0-9]*, cpu_end=[0-9]*, rss=[0-9]\{6,\}) = return' || fail "--usage says nothing"

# ---- other tools ----
# before 3.12: one that takes the evaluation of frames from us
cat >evaluator.py <<-'END'
	import ctypes
	def f():
	    return 1
	f()
	api = ctypes.pythonapi
	api.PyInterpreterState_Get.restype = ctypes.c_void_p
	set_evaluator = api._PyInterpreterState_SetEvalFrameFunc
	set_evaluator.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
	set_evaluator(api.PyInterpreterState_Get(), ctypes.cast(api._PyEval_EvalFrameDefault, ctypes.c_void_p))
	exec("f()")
	exec("f()")
	print("done")
END
# from 3.12 on: those that have numbers of sys.monitoring
cat >tools.py <<-'END'
	import sys
	def f():
	    return 1
	for tool in range(6):
	    if sys.monitoring.get_tool(tool) is None:
	        sys.monitoring.use_tool_id(tool, "another")
	f()
	print("done")
END
for python in $pythons; do
	if is_since 12; then
		traced tools -t f -- "$python" tools.py
		expect_eq "0 f return" "$(events tools)" "$python: with other tools"
	elif is_since 9; then
		traced tools -t f -- "$python" evaluator.py
		expect_eq "0 f return" "$(events tools)" "$python: with another evaluator of frames"
		recorder run -o said -t f -- "$python" evaluator.py 2>&1 >/dev/null |
			grep -c 'another tool evaluates its frames' >count
		expect_eq 1 "$(cat count)" "$python: what is said of another evaluator"
	fi
done

# ---- a program with a Python in it ----
if config=$(/usr/bin/python3-config --embed --ldflags 2>/dev/null); then
	cat >embedded.c <<-'END'
		int PyRun_SimpleStringFlags(const char *command, void *flags);
		void Py_Initialize(void);
		int Py_FinalizeEx(void);
		int main(void)
		{
			int failed;

			Py_Initialize();
			failed = PyRun_SimpleStringFlags("def f(): return 1\nf()\nf()\nprint('done')", 0);
			return Py_FinalizeEx() || failed;
		}
	END
	# shellcheck disable=SC2086
	if ${CC:-gcc} embedded.c $config -o embedded 2>/dev/null; then
		traced inside -t f -- ./embedded
		expect_eq "2" "$(events inside | grep -c '^0 f return')" "of a Python in a program"
	fi
fi
