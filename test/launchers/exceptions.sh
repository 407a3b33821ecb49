#!/bin/sh
# SPDX-License-Identifier: MIT
# C++ exceptions find the same unwinder with and without the recorder, in plug-ins that are opened late and privately, too: a
# library that brings _Unwind_RaiseException along would take them over.
# shellcheck source=test/lib.sh
. "${TOP_SRCDIR:?}/test/lib.sh"
skip_under_tsan
need c++ g++

cat >plugin.cc <<'END'
#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <unwind.h>

extern "C" const char *plugin_unwinder()
{
	Dl_info info;

	return dladdr(reinterpret_cast<void *>(&_Unwind_RaiseException), &info) ? info.dli_fname : "?";
}

extern "C" void plugin_throw(const char *text)
{
	throw std::runtime_error(std::string("from the plug-in: ") + text);
}
END
cat >main.cc <<'END'
#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <stdexcept>
#include <unwind.h>

int main()
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
	Dl_info info;

	if (!plugin)
		return 1;
	auto thrower = reinterpret_cast<void (*)(const char *)>(dlsym(plugin, "plugin_throw"));
	auto unwinder = reinterpret_cast<const char *(*)()>(dlsym(plugin, "plugin_unwinder"));
	dladdr(reinterpret_cast<void *>(&_Unwind_RaiseException), &info);
	std::printf("program: %s\nplug-in: %s\n", info.dli_fname, unwinder());
	for (int i = 0; i < 100; i++) {
		std::ofstream("exceptions.out") << i;
		try {
			thrower("thrown");
		} catch (const std::exception &error) {
			if (i == 0)
				std::printf("%s\n", error.what());
		}
	}
	return 0;
}
END
c++ -shared -fPIC -o plugin.so plugin.cc || fail "cannot compile the plug-in"
c++ -o main main.cc -ldl || fail "cannot compile"
LD_DEBUG=bindings ./main 2>&1 | grep -a '_Unwind_RaiseException\|__cxa_throw' | sed 's/^ *[0-9]*:\t*//' | sort >bare.bindings
./main >bare.out || fail "without the recorder"
RECORDER_TRACES_DIR=$PWD/trace preload ./main >out 2>err || fail "status $?: $(cat err)"
RECORDER_TRACES_DIR=$PWD/again preload env LD_DEBUG=bindings ./main 2>&1 | grep -a 'file [^ ]*\(main\|plugin.so\|libstdc++[^ ]*\) .*\(_Unwind_RaiseException\|__cxa_throw\)' |
	sed 's/^ *[0-9]*:\t*//' | sort >bindings
cmp bare.out out || fail "another unwinder: $(cat out)"
grep -a 'file [^ ]*\(main\|plugin.so\|libstdc++[^ ]*\) ' bare.bindings >want
diff want bindings || fail "other bindings"
[ -s bindings ] || fail "no bindings seen"
grep -q 'libgcc_s' out || fail "not the usual unwinder: $(cat out)"
[ "$(recorder2text -q trace | grep -c exceptions.out)" -ge 100 ] || fail "not recorded"
exit 0
