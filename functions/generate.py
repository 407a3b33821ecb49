#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes wrappers, tables and the export map from the catalogue.

    generate.py [--doc FILE] [--out DIR] FILE.api...

Nothing about a single function is said here: that is in functions/*.api, whose grammar is in
doc/adding-a-function.md. What a kind is says lib/format/kinds.h. Written to DIR: functions_gen.h and
functions_gen.c (ids and tables), wrap_LAYER_gen.c, librecorder.map.
"""
import argparse
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINE_WIDTH = 100
MAX_ARGS = 64  # RECORD_MAX_ARGS
RESERVED = {"call", "next", "result"}  # variables of a wrapper

# How values are captured: by the kind, else by the class of the kind. See lib/record/args.h.
CAPTURE = {
    "INT": "arg_int", "PAIR": "arg_fd", "DOUBLE": "arg_double", "STRING": "arg_string",
    "stream": "arg_stream", "dir": "arg_dir", "pointer": "arg_pointer", "strings": "arg_strings",
}
# The same for one value behind a pointer, and for arrays, by the C type of the element.
CAPTURE_AT = {"int": "arg_int_at", "long": "arg_long_at", "offset": "arg_offset_at"}
CAPTURE_ARRAY = {"int": "arg_ints", "long": "arg_longs"}
C_INTS = {"int", "unsigned", "unsigned int", "pid_t"}

# Kinds of results that tell failure otherwise than by -1; an error number is its own errno.
FAILS = {"none": "never", "errnum": "(result != 0)", "pointer": "NULL", "stream": "NULL",
         "dir": "NULL"}


class CatalogueError(Exception):
    pass


class Parameter:
    """One parameter: its C declaration, and what is recorded of it.

    `when` is "before" or "after" the call, `behind` whether the value lies behind a pointer, `length`
    the C expression of the number of elements, for arrays.
    """

    def __init__(self, declaration, spec):
        self.declaration = declaration
        match = re.search(r"\(\*\s*(\w+)\)", declaration) or re.search(r"(\w+)(\[\w*\])*$",
                                                                       declaration)
        if not match:
            raise CatalogueError(f"no name in parameter '{declaration}'")
        self.name = match.group(1)
        self.element = re.sub(r"\bconst\b|\*|\[\w*\]|\b" + self.name + r"\b", "",
                              declaration).strip()
        self.kind = None
        if spec is not None:
            self.parse_spec(spec)

    def parse_spec(self, spec):
        match = re.fullmatch(r"([&*]?)(\w+)(?:\[([\w()]+)\])?", spec)
        if not match:
            raise CatalogueError(f"cannot read kind '{spec}' of '{self.name}'")
        mark, self.kind, self.length = match.groups()
        self.when = "after" if mark == "&" else "before"
        self.behind = mark != "" and self.length is None
        self.optional = mark == "*"


class Function:
    """One line of the catalogue."""

    def __init__(self, layer, where):
        self.layer, self.where = layer, where
        self.params, self.variadic = [], False
        self.result = self.fails = self.valid = None  # the last two: C expressions, None always false/true
        self.record_as = self.condition = self.since = None
        self.missing = layer.missing
        self.hand = self.eager = self.new = False
        self.aliases = []

    def symbols(self):
        return [self.name] + self.aliases

    def recorded(self):
        return [param for param in self.params if param.kind]


class Layer:
    def __init__(self, name, source):
        self.name, self.source = name, source
        self.headers = []
        self.missing = self.fallback = self.result = self.fails = self.version = None


# ---- reading the catalogue ----

def read_kinds(path):
    """{kind: class} from the rows KIND(name, CLASS, TEXT) of kinds.h."""
    with open(path, encoding="utf-8") as file:
        rows = re.findall(r"^\s*KIND\((\w+), (\w+), \w+\)", file.read(), re.M)
    return dict(rows)


def statements(path):
    """Yields (line number, text) of each statement: comments gone, continuation lines joined."""
    number, text = 0, ""
    with open(path, encoding="utf-8") as file:
        for count, line in enumerate(file, 1):
            line = re.sub(r"(^|\s)#.*", "", line.rstrip())
            if line[:1].isspace() and line.strip():
                text += " " + line.strip()
                continue
            if text:
                yield number, text
            number, text = count, line.strip()
    if text:
        yield number, text


def split_top(text, separator):
    """Splits at separators that are outside of brackets."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == separator and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    return parts + [text[begin:]]


def parse_prototype(function, text):
    """Reads 'TYPE NAME(PARAMETERS)' and returns what follows it."""
    match = re.match(r"(.*?[\s*])(\w+)\(", text)
    if not match:
        raise CatalogueError(f"no prototype in '{text}'")
    function.type, function.name = match.group(1).strip(), match.group(2)
    depth, end = 1, match.end()
    while depth and end < len(text):
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
    if depth:
        raise CatalogueError(f"{function.name}: unbalanced parentheses")
    inside = text[match.end():end - 1].strip()
    for part in [] if inside == "void" else split_top(inside, ","):
        part = part.strip()
        if part.startswith("..."):
            function.variadic, part = True, part[3:].strip()
            if not part:
                continue
        declaration, *spec = [piece.strip() for piece in split_top(part, ":")]
        function.params.append(Parameter(declaration, spec[0] if spec else None))
    return text[end:]


def tokens(text):
    """Words, <headers>, and (C expressions in parentheses)."""
    result = []
    while text.strip():
        text = text.strip()
        if text.startswith("("):
            depth = end = 0
            while end == 0 or depth:
                depth += (text[end] == "(") - (text[end] == ")")
                end += 1
        else:
            end = len(text.split()[0])
        result.append(text[:end])
        text = text[end:]
    return result


def attributes(words, plain, single, many):
    """Reads attributes into a dictionary: flags, words with one value, words with several."""
    known = plain | single | many
    found = {}
    while words:
        word = words.pop(0)
        if word not in known:
            raise CatalogueError(f"unknown attribute '{word}'")
        values = []
        while words and word not in plain and words[0] not in known:
            values.append(words.pop(0))
            if word in single:
                break
        if word not in plain and not values:
            raise CatalogueError(f"'{word}' needs a value")
        found[word] = found.get(word, []) + values if word in many else values[0] if values else True
    return found


def parse_layer(text, source):
    words = text.split(None, 2)
    layer = Layer(words[1], source)
    found = attributes(tokens(words[2] if len(words) > 2 else ""), set(),
                       {"missing", "fallback", "result", "fails"}, {"header", "version"})
    layer.headers = found.pop("header", [])
    for name, value in found.items():
        setattr(layer, name, value)
    return layer


def failure(fails):
    """The C expressions of 'failed' and 'succeeded': of a value, an (expression), or never."""
    if fails == "never":
        return None, None
    if fails.startswith("("):
        return fails[1:-1], f"!{fails}"
    return f"result == {fails}", f"result != {fails}"


def parse_function(text, layer, where):
    function = Function(layer, where)
    words = tokens(parse_prototype(function, text).replace("=", " result ", 1))
    found = attributes(words, {"hand", "eager", "new"},
                       {"result", "fails", "valid", "as", "if", "since", "missing"}, {"alias"})
    function.aliases = found.get("alias", [])
    function.hand, function.eager = "hand" in found, "eager" in found
    function.new = "new" in found
    function.record_as = found.get("as")
    function.condition, function.since = found.get("if"), found.get("since")
    function.missing = found.get("missing", layer.missing)
    function.result = found.get("result", "none" if function.type == "void" else layer.result)
    fails = found.get("fails", layer.fails or FAILS.get(function.result, "-1"))
    function.fails, function.valid = failure(fails)
    if "valid" in found:
        function.valid = found["valid"].strip("()")
    return function


def read_catalogue(paths):
    """All functions of all files, in order; each is right in itself."""
    functions = []
    for path in paths:
        source = "functions/" + os.path.basename(path)
        layer = None
        for number, text in statements(path):
            where = f"{path}:{number}"
            try:
                if text.startswith("layer "):
                    layer = parse_layer(text, source)
                elif layer is None:
                    raise CatalogueError("a function before the first 'layer'")
                else:
                    functions.append(parse_function(text, layer, where))
            except CatalogueError as error:
                raise CatalogueError(f"{where}: {error}") from None
    return functions


# ---- checking it ----

def check_parameter(function, param, kinds):
    if param.kind not in kinds:
        raise CatalogueError(f"unknown kind '{param.kind}' of '{param.name}'")
    names = [other.name for other in function.params]
    if param.length is not None:
        plural = param.kind if kinds[param.kind] == "ARRAY" else param.kind + "s"
        if kinds.get(plural) != "ARRAY":
            raise CatalogueError(f"'{param.name}': there is no array kind '{plural}'")
        param.kind = plural
        size = re.fullmatch(r"size\((\w+)\)", param.length)
        if not param.length.isdigit() and (size.group(1) if size else param.length) not in names:
            raise CatalogueError(f"'{param.name}': '{param.length}' is no parameter")
    elif kinds[param.kind] == "ARRAY" and not param.behind and not function.hand:
        raise CatalogueError(f"'{param.name}': the array kind '{param.kind}' needs a length")


def check_function(function, kinds):
    """What can be said of a function alone."""
    if function.result is None:
        raise CatalogueError(f"{function.name}: the meaning of its result is not said")
    if kinds.get(function.result) not in {"INT", "PAIR", "DOUBLE"}:
        raise CatalogueError(f"{function.name}: '{function.result}' is no kind of a result")
    if function.variadic and not function.hand:
        raise CatalogueError(f"{function.name}: variable arguments need a wrapper by hand")
    if function.since and not function.layer.version:
        raise CatalogueError(f"{function.name}: 'since', but the layer has no 'version'")
    if len(function.recorded()) > MAX_ARGS:
        raise CatalogueError(f"{function.name}: more than {MAX_ARGS} recorded arguments")
    for param in function.params:
        if param.name in RESERVED and not function.hand:
            raise CatalogueError(f"'{param.name}' is a variable of the wrapper")
        if param.kind:
            check_parameter(function, param, kinds)


def check_record_as(function, mains):
    """A function recorded under another name has that one's arguments, or the first of them."""
    main = mains.get(function.record_as)
    if main is None:
        raise CatalogueError(f"{function.name}: there is no '{function.record_as}' to record as")
    mine = [(param.name, param.kind) for param in function.recorded()]
    others = [(param.name, param.kind) for param in main.recorded()]
    if mine != others[:len(mine)] or function.result != main.result:
        raise CatalogueError(f"{function.name}: records other arguments than {main.name}")


def check_catalogue(functions, kinds):
    mains = {function.name: function for function in functions if not function.record_as}
    seen = {}
    for function in functions:
        try:
            check_function(function, kinds)
            if function.record_as:
                check_record_as(function, mains)
            for symbol in function.symbols():
                if symbol in seen:
                    raise CatalogueError(f"'{symbol}' is already at {seen[symbol]}")
                seen[symbol] = function.where
        except CatalogueError as error:
            raise CatalogueError(f"{function.where}: {error}") from None


# ---- writing C ----

def head(what):
    return f"/* SPDX-License-Identifier: MIT */\n/* generated by functions/generate.py from {what}; do not edit */\n"


def columns(text):
    """Width of a line whose tabs are 8 wide."""
    return len(text.expandtabs(8))


def wrapped(begin, parts, end):
    """'begin(a, b, c)end', broken below the bracket like clang-format does."""
    indent = columns(begin)
    lines, line = [], begin
    for at, part in enumerate(parts):
        part += "," if at < len(parts) - 1 else end
        if columns(line + part) > LINE_WIDTH and line != begin:
            lines.append(line.rstrip())
            line = "\t" * (indent // 8) + " " * (indent % 8)
        line += part + " "
    return "\n".join(lines + [line.rstrip()]) if parts else begin + end


def statement(begin, parts, end=");"):
    return wrapped("\t" + begin, parts, end)


def declare(ctype, name):
    return f"{ctype}{name}" if ctype.endswith("*") else f"{ctype} {name}"


def capture(param, index, kinds):
    """The statement that puts a parameter into the record."""
    size = "int" if param.element in C_INTS else "long"
    value = param.name
    if param.length is not None:
        function, extra = CAPTURE_ARRAY[size], [param.length]
    elif param.behind and kinds[param.kind] != "STRING":
        special = CAPTURE_AT.get(param.kind) if param.optional else None
        function, extra = special or CAPTURE_AT[size], []
    else:
        function, extra = CAPTURE.get(param.kind, CAPTURE[kinds[param.kind]]), []
        size = "int"
    if size == "long":
        value = f"(const int64_t *){value}"
    return statement(f"{function}(", ["&call", str(index), value] + extra)


def capture_result(function, kinds):
    """The statement that stores the result, None where there is none."""
    if function.result == "none":
        return None
    if function.result == "errnum":
        return "\tresult_errnum(&call, result);"
    if function.result == "stream":
        return "\tresult_stream(&call, result);"
    if function.result == "double":
        return "\tresult_double(&call, result);"
    name = {"pointer": "result_pointer", "fd": "result_fd"}.get(function.result, "result_int")
    return statement(f"{name}(", ["&call", "result", function.fails or "false"])


def forward(function, symbol, begin):
    """The call of the real function."""
    return wrapped(begin + "next(", [param.name for param in function.params], ");")


def unrecorded(function, symbol):
    """What happens to a call that is not recorded: a jump, unless there is a book to keep."""
    enter = statement("if (!call_enter(", ["&call", "FN_" + (function.record_as or function.name),
                                           str(len(function.recorded())), "CALL_SITE"], "))")
    if function.type == "void":
        return [enter + " {", forward(function, symbol, "\t\t"), "\t\treturn;", "\t}"]
    if not function.new:
        return [enter, forward(function, symbol, "\t\treturn ")]
    return [enter + " {", forward(function, symbol, "\t\tresult = "),
            "\t\tif (result != -1)", "\t\t\tdescriptor_forget(result);", "\t\treturn result;", "\t}"]


def missing(function):
    if function.missing is None:
        return []
    value = "" if function.type == "void" else " " + function.missing.strip("()")
    return ["\tif (!next)", f"\t\treturn{value};"]


def wrapper(function, symbol, kinds):
    """The definition of one exported symbol."""
    numbered = list(enumerate(function.recorded()))
    before = [capture(param, at, kinds) for at, param in numbered if param.when == "before"]
    after = [capture(param, at, kinds) for at, param in numbered if param.when == "after"]
    if after and function.valid:
        after = [f"\tif ({function.valid})" + (" {" if len(after) > 1 else "")] + \
            [line.replace("\t", "\t\t", 1) for line in after] + (["\t}"] if len(after) > 1 else [])
    void = function.type == "void"
    lines = [wrapped(f"WRAPPER {declare(function.type, symbol)}(",
                     [param.declaration for param in function.params] or ["void"], ")"),
             "{",
             f"\t__typeof__({symbol}) *next = function_next(SYM_{symbol});",
             "\tstruct call call;"]
    lines += [] if void else [f"\t{declare(function.type, 'result')};"]
    lines += [""] + missing(function) + unrecorded(function, symbol) + before
    lines += ["\tcall_start(&call);", forward(function, symbol, "\t" if void else "\tresult = "),
              "\tcall_stop(&call);"]
    if function.new:
        lines += ["\tif (result != -1)", "\t\tdescriptor_forget(result);"]
    result = capture_result(function, kinds)
    lines += ([result] if result else []) + after
    lines += ["\tcall_leave(&call);"] + ([] if void else ["\treturn result;"]) + ["}"]
    return "\n".join(lines)


def guard(function):
    """The preprocessor line that a function depends on, None for most."""
    if function.condition:
        return f"#ifdef {function.condition}"
    if function.since:
        major, minor = function.since.split(".")
        first, second = function.layer.version
        return f"#if {first} > {major} || ({first} == {major} && {second} >= {minor})"
    return None


def write_wrappers(layer, functions, kinds):
    """wrap_LAYER_gen.c: the real headers, so that the compiler checks every prototype."""
    parts = [head(layer.source) + '#include "wrap/wrapper.h"\n\n' +
             "\n".join(f"#include {name}" for name in layer.headers)]
    for function in functions:
        if function.layer.name != layer.name or function.hand:
            continue
        text = "\n\n".join(wrapper(function, symbol, kinds) for symbol in function.symbols())
        condition = guard(function)
        parts.append(f"{condition}\n{text}\n#endif" if condition else text)
    return "\n\n".join(parts) + "\n"


def write_header(functions):
    """functions_gen.h: the numbers of functions and symbols."""
    mains = [function.name for function in functions if not function.record_as]
    symbols = [symbol for function in functions for symbol in function.symbols()]
    ids = "".join(f"\tFN_{name},\n" for name in mains)
    syms = "".join(f"\tSYM_{name},\n" for name in symbols)
    return (head("the catalogue") +
            "#ifndef RECORDER_FUNCTIONS_GEN_H\n#define RECORDER_FUNCTIONS_GEN_H\n\n"
            f"enum function_id {{\n{ids}\tFN_COUNT\n}};\n\n"
            f"enum symbol_id {{\n{syms}\tSYM_COUNT\n}};\n\n#endif\n")


def table_row(function):
    args = f"args_{function.name}" if function.recorded() else "NULL"
    return (f"\t[FN_{function.name}] = {{\"{function.layer.name}\", \"{function.name}\", "
            f"KIND_{function.result}, {len(function.recorded())}, {args}}},\n")


def symbol_row(function, symbol):
    fallback = "NULL"
    if function.layer.fallback:
        fallback = f'"{function.layer.fallback}{symbol.partition("_")[2]}"'
    return f"\t[SYM_{symbol}] = {{\"{symbol}\", {fallback}, {'true' if function.eager else 'false'}}},\n"


def write_tables(functions):
    """functions_gen.c: what lib/record/function.h declares."""
    mains = [function for function in functions if not function.record_as]
    args = ""
    for function in mains:
        rows = "".join(f'\t{{"{param.name}", KIND_{param.kind}}},\n'
                       for param in function.recorded())
        if rows:
            args += f"static const struct function_parameter args_{function.name}[] = {{\n{rows}}};\n\n"
    symbols = "".join(symbol_row(function, symbol) for function in functions
                      for symbol in function.symbols())
    return (head("the catalogue") + '#include "functions_gen.h"\n#include "record/function.h"\n\n' +
            "#include <stddef.h>\n\n" + args +
            "const struct function_entry function_table[FN_COUNT] = {\n" +
            "".join(table_row(function) for function in mains) + "};\n\n"
            f"const struct symbol_entry symbol_table[SYM_COUNT] = {{\n{symbols}}};\n\n"
            "const unsigned function_count = FN_COUNT, symbol_count = SYM_COUNT;\n\n"
            "uint8_t function_state[FN_COUNT] = {[0 ... FN_COUNT - 1] = FUNCTION_NEW};\n\n"
            "void *symbol_next[SYM_COUNT];\n")


def write_map(functions):
    """librecorder.map: exported is what the catalogue names, and nothing else."""
    names = sorted(symbol for function in functions for symbol in function.symbols())
    return "{\nglobal:\n" + "".join(f"\t{name};\n" for name in names) + "local:\n\t*;\n};\n"


# ---- writing the documentation ----

def doc_row(function, others):
    args = ", ".join(f"{param.name}:{param.kind}" for param in function.recorded())
    names = function.aliases + [symbol for other in others for symbol in other.symbols()]
    return (f"| `{function.name}` | {args} | {function.result} | "
            f"{' '.join(f'`{name}`' for name in names)} |\n")


def write_doc(functions):
    """doc/functions.md: every traced function, what is recorded of it and under which names."""
    text = ("<!-- generated by functions/generate.py from the catalogue; do not edit -->\n"
            "# Traced functions\n\nRecorded arguments are written `name:kind`. Calls of the names in "
            "the last column are recorded\nas the function of their line. How to add one: "
            "[adding-a-function.md](adding-a-function.md).\n")
    for name in dict.fromkeys(function.layer.name for function in functions):
        mains = [function for function in functions
                 if function.layer.name == name and not function.record_as]
        text += (f"\n## Layer {name}: {len(mains)} functions\n\n"
                 "| function | arguments | result | also |\n|---|---|---|---|\n")
        for function in mains:
            text += doc_row(function, [other for other in functions
                                       if other.record_as == function.name])
    return text


# ---- main ----

def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", metavar="DIR", help="write the C files and the export map here")
    parser.add_argument("--doc", metavar="FILE", help="write the list of functions here")
    parser.add_argument("files", metavar="FILE.api", nargs="+")
    options = parser.parse_args()

    try:
        kinds = read_kinds(os.path.join(TOP, "lib/format/kinds.h"))
        functions = read_catalogue(options.files)
        check_catalogue(functions, kinds)
    except (CatalogueError, OSError) as error:
        sys.exit(f"generate.py: {error}")

    if options.doc:
        write(options.doc, write_doc(functions))
    if options.out:
        write(os.path.join(options.out, "functions_gen.h"), write_header(functions))
        write(os.path.join(options.out, "functions_gen.c"), write_tables(functions))
        write(os.path.join(options.out, "librecorder.map"), write_map(functions))
        layers = {function.layer.name: function.layer for function in functions}
        for name, layer in layers.items():
            write(os.path.join(options.out, f"wrap_{name}_gen.c"),
                  write_wrappers(layer, functions, kinds))


if __name__ == "__main__":
    main()
