#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a C program that calls each function of a layer and says what the trace must show of it.

    write_smoke.py LAYER.api CALLS >smoke_LAYER.c      the program
    write_smoke.py --table LAYER.api CALLS             what is called and what is not, and why

CALLS says with which arguments a function is called:

    default KEY = EXPRESSION             for parameters of that KEY: "name:kind", ":kind" (with its mark), "TYPE name", "name" or "TYPE";
                                         for what is recorded besides them: the number that the record must have
    NAME(PARAMETER = EXPRESSION, ...)    for one function; what is not said has its default
    NAME(PARAMETER = absent)             the record has no such argument: it is not passed, or nothing there is to be recorded
    NAME(PARAMETER -> EXPRESSION, ...)   C text of what the record must have of the parameter after the call
    NAME(...) fails ERRNO                the call is made to fail
    NAME(...) if MACRO                   it is called only where the headers define this
    NAME(...) before {C} after {C}       statements around the call, not recorded
    NAME none REASON                     it is not called

What MPI-4.0 made of a function is called as that one, but for what its own line says; arrays and pointers of another type
have their defaults. A function with a parameter whose value has no default and is not said is not called, and the table says so.
Every name under which a function is exported is called once.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "functions"))

from catalogue import (  # noqa: E402
    MADE, CatalogueError, bracket_end, check_catalogue, read_catalogue, read_kinds, split_top, statements)

# The classes of kinds, and kinds with values that are shown in another way: smoke_KIND() of smoke.h.
SHOWN_BY_KIND = {"stream", "dir", "pointer", "path", "strings", "fd", "dirfd", "parts", "command",
                 "uid", "datatypes", "requests", "in_place", "ncid", "mapped"}
# MPI handles are shown as what they are in the program: the checker finds out which number each has.
HANDLES = {"comm", "group", "datatype", "op", "win", "info", "errhandler", "message", "pthread", "session"}
# So are these, which are what they are by their address.
ADDRESSED = {"mutex", "cond", "barrier", "rwlock", "spinlock", "semaphore"}
# Handles of HDF5: the program asks HDF5 itself what they stand for.
HIDS = {"hid", "hspace", "hplist"}
SHOWN_BY_CLASS = {"INT": "int", "DOUBLE": "double", "STRING": "string", "PAIR": "fd"}
INTS = {"int", "unsigned", "unsigned int", "pid_t"}

from wrappers import guard  # noqa: E402


class Call:
    """How a function is called."""

    def __init__(self, where):
        self.where = where
        self.values, self.shown = {}, {}
        self.fails = self.reason = self.condition = None
        self.before = self.after = ""
        self.text = None  # its C function


class NoValue(Exception):
    pass


def fail(where, what):
    sys.exit(f"{where}: {what}")


# ---- reading CALLS ----

def braces(text, word):
    """The text between the braces after a word, and the text without both."""
    at = text.find(word + " {")
    if at < 0:
        return "", text
    begin, depth = at + len(word) + 1, 0
    for end in range(begin, len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if depth == 0:
            return text[begin + 1:end].strip(), text[:at] + text[end + 1:]
    raise CatalogueError(f"no end of '{word} {{'")


def parse_call(text, where):
    name = re.match(r"\w+", text).group()
    call, rest = Call(where), text[len(name):].strip()
    if rest.startswith("none "):
        call.reason = rest[5:]
        return name, call
    call.before, rest = braces(rest, "before")
    call.after, rest = braces(rest, "after")
    if rest.startswith("("):
        end = bracket_end(rest, 0)
        for part in filter(None, split_top(rest[1:end - 1], ",")):
            parameter, sign, value = re.fullmatch(r"(\S+) (=|->) (.*)", part, re.S).groups()
            (call.values if sign == "=" else call.shown)[parameter] = value
        rest = rest[end:].strip()
    match = re.fullmatch(r"(?:fails (\w+))?\s*(?:if (\w+))?", rest.strip())
    if not match:
        fail(where, f"cannot read '{rest}'")
    call.fails, call.condition = match.groups()
    return name, call


def read_calls(path):
    defaults, calls = {}, {}
    for number, text in statements(path):
        where = f"{path}:{number}"
        if text.startswith("default "):
            key, sign, value = text[8:].partition(" = ")
            defaults[key.strip()] = value
            continue
        name, call = parse_call(text, where)
        if name in calls:
            fail(where, f"{name} stands twice")
        calls[name] = call
    return defaults, calls


def inherited(function, original, call, calls):
    """How X_c and X_init are called: as X, whose parameters may have other types, and as their own line says."""
    types = {param.name: param.declaration for param in original.params}
    same = {param.name for param in function.params
            if not param.is_pointer or types.get(param.name) == param.declaration}
    base = calls[original.name]
    call.values = {name: value for name, value in base.values.items() if name in same} | call.values
    call.shown = base.shown | call.shown
    call.before, call.after = call.before or base.before, call.after or base.after
    call.fails, call.condition = call.fails or base.fails, call.condition or base.condition
    call.reason = call.reason or base.reason


# ---- the C of one call ----

def c_type(declaration, name):
    """The type of a parameter: its declaration without its name."""
    return re.sub(r"\s+", " ", re.sub(rf"\b{name}\b", "", declaration)).strip()


def variable(param):
    """A parameter as a variable: what is an array in the prototype is a pointer in truth."""
    text = re.sub(r"^const (?=\w+ \w+$)", "", param.declaration)
    if re.search(r"\]\[", text):
        return re.sub(rf"\b{param.name}\b\[\w*\]", f"(*{param.name})", text)
    return re.sub(rf"\b{param.name}\b\[\w*\]", f"*{param.name}", text)


def value_of(function, param, call, defaults):
    if param.name in call.values:
        return call.values[param.name]
    kind = c_type(param.declaration, param.name)
    meaning = f":{param.mark}{param.kind}" if param.kind else None
    if meaning and param.extra == "new":
        meaning += "(new)"
    told = f"{meaning}({param.extra.split(',')[0]})" if meaning and param.extra else None
    for key in (param.declaration, f"{param.name}{meaning}", told, meaning, param.name, kind):
        if key in defaults:
            return defaults[key]
    raise NoValue(f"no value is said for '{param.declaration}'")


def shown_as(kind, kinds):
    return kind if kind in SHOWN_BY_KIND else SHOWN_BY_CLASS[kinds[kind]]


def lengths(expression):
    """A C expression of the catalogue: size(comm) and the like are functions of mpi_calls.h."""
    return re.sub(r"\b(\w+)\(", r"length_\1(", expression)


def show_array(at, param):
    words = "ints" if param.element.split()[-1] in INTS else "longs"
    if param.kind in SHOWN_BY_KIND:
        words = param.kind.replace("requests", "requests_array")
    length = lengths(param.length)
    if param.kind == "requests" and param.mark == "&":
        words = "requests_done"
    value = f"(const int *){param.name}" if "][" in param.declaration else param.name
    if param.each:
        each = f"each_{param.length}"
        return f'smoke_lists_each({at}, "{param.name}", {value}, {lengths(param.lists)}, {each});'
    if param.lists is not None:
        return f'smoke_lists({at}, "{param.name}", {value}, {lengths(param.lists)}, {length});'
    if words == "longs":
        value = f"(const int64_t *){value}"
    return f'smoke_{words}({at}, "{param.name}", {value}, {length});'


def show_handle(at, param, text):
    """A handle: itself, its name if it is a predefined one, and whether the call makes or ends it."""
    value = f"*{param.name}" if param.is_pointer and param.kind not in ADDRESSED else param.name
    name = f'"{text}"' if re.fullmatch(r"MPI_[A-Z0-9_]+", text) else "NULL"
    life = {"+": "SMOKE_NEW", "-": "SMOKE_END"}.get(param.mark, "SMOKE_USE")
    if param.kind in ADDRESSED:
        return f'smoke_handle({at}, "{param.name}", "{param.kind}", (uintptr_t){value}, NULL, {life});'
    line = f'smoke_handle({at}, "{param.name}", "{param.kind}", (uintptr_t){value}, {name}, {life});'
    if param.mark or not param.extra:
        return line
    # an argument that means nothing for some ranks
    return f'if ({lengths(param.extra)})\n\t\t{line}\n\telse\n\t\tsmoke_int({at}, "{param.name}", 0);'


def show(at, param, kinds, call, text):
    """The statement that says what the record must have of an argument."""
    if param.name in call.shown:
        return f'smoke_arg({at}, "{param.name}", "%s", {call.shown[param.name]});'
    if param.kind in MADE:
        return f'smoke_{param.kind}({at}, "{param.name}", {param.extra});'
    if param.length is not None:
        return show_array(at, param)
    if param.kind in HANDLES | ADDRESSED:
        return show_handle(at, param, text)
    if param.kind == "varid":  # it has a name in its file or group
        value = f"*{param.name}" if param.mark else param.name
        return f'smoke_varid({at}, "{param.name}", {value}, {param.extra});'
    if param.kind in HIDS:
        name = f'"{text}"' if re.fullmatch(r"H5[PT]_[A-Z0-9_]+", text) else "NULL"
        return f'smoke_{param.kind}({at}, "{param.name}", {param.name}, {name});'
    if param.kind in ("request", "mpi_file"):
        life = {"+": "_made", "-": "_ended", "&": "_done"}.get(param.mark, "" if param.is_pointer else "_value")
        return f'smoke_{param.kind}{life}({at}, "{param.name}", {param.name});'
    value = param.name
    if param.mark == "*":
        absent = -1 if param.kind == "offset" else 0
        return f'smoke_int({at}, "{param.name}", {value} ? (long long)*{value} : {absent});'
    if param.mark and kinds[param.kind] != "STRING":
        value = f"*{value}"
    return f'smoke_{shown_as(param.kind, kinds)}({at}, "{param.name}", {value});'


def declared(param, value):
    """A variable of a parameter; arrays that are given as { ... } become arrays."""
    text = variable(param)
    if value.startswith("{"):
        text = re.sub(rf"\*{param.name}$", f"{param.name}[]", text)
    return f"\t{text} = {value};"


def prototype(function):
    parts = [param.declaration for param in function.params] + ["..."] * function.variadic
    star = "" if function.type.endswith("*") else " "
    return f"\t{function.type}{star}(*call)({', '.join(parts) or 'void'}) = smoke_find(symbol);"


def passed(function):
    """What is handed over: parameters, and the variable arguments that have a kind."""
    names = [param.name for param in function.params]
    if function.variadic:
        names += [param.name for param in function.implied if param.is_passed]
    return names


def result_lines(function, kinds, call):
    """The end of an expected line: the result and, if it failed, the reason."""
    if function.result == "none":
        return ["\tsmoke_end();"]
    failed = "false"
    if function.fails:
        failed = function.fails
    if function.result in HANDLES:
        return [f'\tsmoke_end_handle("{function.result}", (uintptr_t)result);']
    if function.result in ("mpi_file", "mpi_error", "herr", "hid", "nc_error"):
        return [f"\tsmoke_end_{function.result}(result);"]
    reason = call.fails or "0"
    if function.result == "errnum":
        return [f"\tsmoke_end_errnum(result, {reason});"]
    # a descriptor of some commands, but not of those that are called
    how = "int" if function.result == "fcntl_result" else shown_as(function.result, kinds)
    return [f"\tsmoke_end_{how}(result, {failed}, {reason});"]


def one_a_line(text):
    return [f"\t{part.strip()};" for part in text.split(";") if part.strip()]


def smoke(function, call, defaults, kinds):
    """The C function that calls one function of the catalogue."""
    extra = call.values.get("...", "")
    va_list = next((p.name for p in function.params if c_type(p.declaration, p.name) == "va_list"), None)
    lines = [f"static void try_{function.name}(const char *symbol{', ...' if va_list else ''})", "{",
             prototype(function)]
    variables = [p for p in function.params if p.name != va_list]
    variables += [p for p in function.implied if p.is_passed and p.name in call.values]
    texts = {}
    for param in variables:
        texts[param.name] = value_of(function, param, call, defaults)
        lines.append(declared(param, texts[param.name]))
    if va_list:
        lines.append(f"\tva_list {va_list};")
    if function.type != "void":
        star = "" if function.type.endswith("*") else " "
        lines.append(f"\t{function.type}{star}result;")
    lines += ["", "\tif (!call)", "\t\treturn;"]
    lines += one_a_line(call.before)
    record = function.record_as or function.name
    lines.append(f'\tsmoke_begin("{function.layer.name}", "{record}");')
    after = []
    for at, param in enumerate(function.recorded()):
        if param.kind == "busy":  # of a run, and no argument
            continue
        if param in function.implied and param.is_passed and param.name not in call.values:
            continue
        if call.values.get(param.name) == "absent":
            continue
        if param.extra and param in function.implied and not param.is_passed and param.name not in call.shown:
            value = value_of(function, param, call, defaults)
            after.append(f'\tsmoke_{shown_as(param.kind, kinds)}({at}, "{param.name}", {value});')
            continue
        if param.is_output:
            after.append(f"\t{show(at, param, kinds, call, texts.get(param.name, ''))}")
        else:
            lines.append(f"\t{show(at, param, kinds, call, texts.get(param.name, ''))}")
    lines += [f"\tva_start({va_list}, symbol);"] if va_list else []
    names = [name for name in passed(function)
             if name not in [p.name for p in function.implied] or name in call.values]
    names += [extra] if extra and not va_list else []
    real = f"call({', '.join(names)});"
    lines.append("\tsmoke_resume();")
    lines.append(f"\t{real}" if function.type == "void" else f"\tresult = {real}")
    lines.append("\tsmoke_pause();")
    lines += [f"\tva_end({va_list});"] if va_list else []
    lines += after + result_lines(function, kinds, call)
    lines += one_a_line(call.after)
    return "\n".join(lines + ["}"])


def calls_of(function, call):
    """The statements of main() for a function: each of its names once."""
    extra = ""
    if any(c_type(p.declaration, p.name) == "va_list" for p in function.params):
        extra = f", {call.values.get('...', '0')}"
    return [f'\ttry_{function.name}("{symbol}"{extra});' for symbol in function.symbols()]


# ---- the whole ----

def guarded(function, call, text):
    """What is compiled only where the function is, and where it is to be called."""
    for condition in guard(function), call.condition and f"#ifdef {call.condition}":
        if condition:
            text = f"{condition}\n{text}\n#endif"
    return text


def program(functions, calls, header):
    parts = ["/* SPDX-License-Identifier: MIT */\n/* generated by test/smoke/write_smoke.py; do not edit */",
             f'#include "{header}"']
    ways = [(function, calls[function.name]) for function in functions if calls[function.name].text]
    parts += [guarded(function, call, call.text) for function, call in ways]
    body = [guarded(function, call, "\n".join(calls_of(function, call))) for function, call in ways]
    parts.append("\n".join(["int main(int argc, char **argv)", "{", "\tsmoke_start(argc, argv);"] + body +
                           ["\treturn smoke_finish();", "}"]))
    return "\n\n".join(parts) + "\n"


def share_of(functions, calls):
    """How many are called, and how many percent. A program of test/layers calls and compares as this one does."""
    reasons = [calls[function.name].reason for function in functions]
    called = sum(reason is None or reason.startswith("test/layers/") for reason in reasons)
    return called, 100 * called // len(functions)


def depends_on(function, call):
    """What has to hold of a build that calls the function."""
    if function.since:
        return f"since {function.since}"
    condition = function.condition or call.condition
    return f"if {condition}" if condition else "in every build"


def table(functions, calls):
    """What is called, and in which builds; what is not is named."""
    called, share = share_of(functions, calls)
    lines = [f"{functions[0].layer.name}: {called} of {len(functions)} lines of the catalogue are called ({share} %)"]
    shares = [share]
    groups = {}
    for function in functions:
        groups.setdefault(depends_on(function, calls[function.name]), []).append(function)
    for name, group in groups.items() if len(groups) > 1 else []:
        called, share = share_of(group, calls)
        lines.append(f"  {called} of {len(group)} {name} ({share} %)")
        if not name.startswith("if "):
            shares.append(share)
    lines += [f"  {function.name}: {calls[function.name].reason}" for function in functions
              if calls[function.name].reason is not None]
    return min(shares), lines


def main():
    words = [word for word in sys.argv[1:] if word != "--table"]
    kinds = read_kinds()
    try:
        functions = read_catalogue(words[:1])
        check_catalogue(functions, kinds)
        defaults, calls = read_calls(words[1])
    except CatalogueError as error:
        sys.exit(str(error))
    by_name = {function.name: function for function in functions}
    for name in calls:
        if name not in by_name:
            fail(calls[name].where, f"the catalogue has no {name}")
    for function in functions:
        call = calls.setdefault(function.name, Call(function.where))
        if function.made_of:
            inherited(function, by_name[function.made_of], call, calls)
        try:
            if call.reason is None:
                call.text = smoke(function, call, defaults, kinds)
        except NoValue as none:
            call.reason = str(none)
    if "--table" in sys.argv:
        share, lines = table(functions, calls)
        print("\n".join(lines))
        return 0 if share >= 85 else 1
    header = os.path.basename(words[1]).replace(".calls", "_calls.h")
    sys.stdout.write(program(functions, calls, header))
    return 0


if __name__ == "__main__":
    sys.exit(main())
