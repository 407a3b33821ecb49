# SPDX-License-Identifier: MIT
"""Reads and checks the catalogue: functions/*.api, by the grammar of doc/adding-a-function.md."""
import os
import re

from derived import derived

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAX_ARGS = 64  # RECORD_MAX_ARGS
RESERVED = {"call", "next", "result", "ignored", "room"}  # variables of a wrapper

# Kinds of results that tell failure otherwise than by -1. An error number is its own errno.
FAILS = {"none": "never", "double": "never", "seconds": "never", "errnum": "(result != 0)", "pointer": "NULL",
         "stream": "NULL", "dir": "NULL", "mpi_error": "(result != MPI_SUCCESS)",
         "herr": "(result < 0)", "hid": "(result < 0)", "nc_error": "(result != 0)"}

# Kinds of what is recorded besides the parameters: arg_KIND() makes it of what stands in brackets.
MADE = {"position", "hints", "mapped"}


class CatalogueError(Exception):
    pass


class Parameter:
    """One parameter: its C declaration, and what is recorded of it.

    `mark` says when and how: "" the value before the call, "&" what the pointer points to after it,
    "*" the same before it, "+" an object that the call makes, "-" one that it ends. `length` is
    the C expression of the number of elements of an array, `lists` that of how many such arrays there
    are behind an array of pointers, `each` that they differ in length, `extra` what a maker is told.
    """

    def __init__(self, declaration, spec):
        self.declaration = declaration
        match = (re.search(r"\(\*\s*(\w+)\)", declaration) or
                 re.search(r"(\w+)\s*(\[\w*\])*$", declaration))
        if not match:
            raise CatalogueError(f"no name in parameter '{declaration}'")
        self.name = match.group(1)
        self.is_pointer = "*" in declaration or "[" in declaration
        self.element = re.sub(r"\bconst\b|\*|\[\w*\]|\b" + self.name + r"\b", "",
                              declaration).strip()
        self.kind = self.length = self.lists = None
        self.each = False
        self.scalar = None  # the kind of an array's elements
        self.is_output = False  # known only after the call
        self.is_passed = True   # part of the call; false for what is recorded besides
        if spec is not None:
            match = re.fullmatch(r"([&*+-]?)(\w+)(?:\((.*)\))?(?:\[(\w+)\](?=\[))?(?:\[(.*)\])?", spec)
            if not match:
                raise CatalogueError(f"cannot read kind '{spec}' of '{self.name}'")
            self.mark, self.kind, self.extra, self.lists, self.length = match.groups()
            self.each = self.lists is not None and self.length.startswith("each ")
            if self.each:
                self.length = self.length[5:]
            self.is_output = self.mark in ("&", "+")


class Function:
    """One line of the catalogue."""

    def __init__(self, layer, where):
        self.layer, self.where = layer, where
        self.params, self.variadic = [], False
        self.result = None
        # C expressions of "failed" and "the & values mean something"; None: never, always
        self.fails = self.valid = None
        self.missing = self.record_as = self.condition = self.since = None
        self.made_of = None  # the name of the function that derived() made this one of
        self.opens = self.then = None
        self.syscall = None  # the system calls that are recorded as this function
        self.unless = None  # a C expression: such calls are passed on
        self.hidden = None  # the parameter for whose value, if it is a descriptor of the recorder's, there is no open file
        self.folds = None  # a C expression of what is recorded: such calls in a row become one record
        # C expressions, of a function that folds: the stream, whether a call takes what is in memory, and the same call
        self.quick = None
        self.hand = self.eager = self.new = False
        self.persistent = False  # there is an X_init
        self.large = None  # {parameter: type} if there is an X_c, of those that the rule does not tell
        self.has_valid = False  # `valid` is said, and not just "it succeeded"
        self.aliases = []
        self.fortran = []  # words of functions/fortran.py
        self.implied = []  # recorded, but no parameter of the prototype

    def symbols(self):
        return [self.name] + self.aliases

    def recorded(self):
        return [param for param in self.params + self.implied if param.kind]

    def recording(self):
        """How the functions that record a call begin (lib/record/call.h, call_far.h)."""
        return "call_far_" if self.layer.far else "call_"

    def is_poll(self):
        """Whether it asks for something again and again; what else folds reads and writes characters."""
        kinds = [self.result] + [param.kind for param in self.recorded()]
        return bool(self.folds) and "char" not in kinds and "wchar" not in kinds

    def entering(self):
        """What a record begins with: of a poll another function (lib/record/repeat.h)."""
        return "poll_enter" if self.is_poll() else self.recording() + "enter"

    def starting(self):
        """The statement before the real call."""
        return f"poll_start(&call, {len(self.recorded())});" if self.is_poll() else self.recording() + "start(&call);"

    def leaving(self):
        """What a record ends with."""
        if self.is_poll():
            return "poll_leave"
        return "call_leave_repeated" if self.folds else self.recording() + "leave"


class Layer:
    """A layer statement; it holds for the lines below it."""

    def __init__(self, name, source):
        self.name, self.source = name, source
        self.header, self.version = [], None
        self.opt_in = False  # recorded only when it is asked for by name
        self.missing = self.fallback = self.result = self.fails = None
        self.fortran = False
        self.far = False  # lib/record/call_far.h
        self.scoped = False  # its libraries may be in a process twice, or loaded privately


# ---- reading ----

def read_kinds():
    """{kind: class} from the rows KIND(name, CLASS, TEXT) of kinds.h."""
    with open(os.path.join(TOP, "lib/format/kinds.h"), encoding="utf-8") as file:
        return dict(re.findall(r"^\s*KIND\((\w+), (\w+), \w+\)", file.read(), re.M))


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
            parts.append(text[begin:at].strip())
            begin = at + 1
    return parts + [text[begin:].strip()]


def bracket_end(text, begin):
    """The index after the bracket that closes the one at `begin`."""
    depth = 0
    for at in range(begin, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at + 1
    raise CatalogueError(f"unbalanced parentheses in '{text}'")


def parse_parameter(text):
    declaration, *spec = split_top(text, ":")
    return Parameter(declaration, spec[0] if spec else None)


def parse_prototype(function, text):
    """Reads 'TYPE NAME(PARAMETERS)' and returns what follows it."""
    match = re.match(r"(.*?[\s*])(\w+)\(", text)
    if not match:
        raise CatalogueError(f"no prototype in '{text}'")
    function.type, function.name = match.group(1).strip(), match.group(2)
    end = bracket_end(text, match.end() - 1)
    inside = text[match.end():end - 1].strip()
    for part in [] if inside == "void" else split_top(inside, ","):
        if not function.variadic and not part.startswith("..."):
            function.params.append(parse_parameter(part))
            continue
        function.variadic = True
        if part != "...":
            function.implied.append(parse_parameter(part.lstrip(".").strip()))
    return text[end:]


def tokens(text):
    """Words, and (C expressions in parentheses)."""
    result, text = [], text.strip()
    while text:
        end = bracket_end(text, 0) if text.startswith("(") else len(text.split()[0])
        result.append(text[:end])
        text = text[end:].strip()
    return result


def attributes(words, plain, single, many, optional=frozenset()):
    """Reads attributes into a dictionary: flags, words with one value, words with several, and those that may have one."""
    known = plain | single | many | optional
    found = {}
    while words:
        word = words.pop(0)
        if word not in known:
            raise CatalogueError(f"unknown attribute '{word}'")
        values = []
        while words and word not in plain and words[0] not in known:
            values.append(words.pop(0))
            if word in single | optional:
                break
        if word not in plain | optional and not values:
            raise CatalogueError(f"'{word}' needs a value")
        if word in {"fold", "opens", "quick", "syscall", "then", "unless", "hidden", "valid", "with"} and not values[0].startswith("("):
            raise CatalogueError(f"'{word}' needs a value in parentheses")
        if word in optional and values and not values[0].startswith("("):
            raise CatalogueError(f"the value of '{word}' stands in parentheses")
        if word in many:
            found[word] = found.get(word, []) + values
        else:
            found[word] = values[0] if values else True
    return found


def failure(fails):
    """The C expressions of 'failed' and 'succeeded': of a value, an (expression), or never."""
    if fails == "never":
        return None, None
    other = re.fullmatch(r"\(result != (\w+)\)", fails)
    if other:
        return fails[1:-1], f"result == {other.group(1)}"
    if fails.startswith("("):
        return fails[1:-1], f"!{fails}"
    return f"result == {fails}", f"result != {fails}"


def parse_layer(text, source):
    words = text.split(None, 2)
    layer = Layer(words[1], source)
    found = attributes(tokens(words[2] if len(words) > 2 else ""), {"far", "opt_in", "fortran", "scoped"},
                       {"missing", "fallback", "result", "fails"}, {"header", "version"})
    for name, value in found.items():
        setattr(layer, name, value)
    return layer


def parse_function(text, layer, where):
    function = Function(layer, where)
    words = tokens(re.sub(r"^\s*=", " result ", parse_prototype(function, text)))
    found = attributes(words, {"hand", "eager", "new", "persistent"},
                       {"result", "fails", "valid", "as", "if", "since", "missing", "opens", "then", "syscall",
                        "unless", "hidden", "with", "fold", "quick"},
                       {"alias", "fortran"}, {"large"})
    function.fortran = found.get("fortran", [])
    function.aliases = found.get("alias", [])
    function.hand, function.eager = "hand" in found, "eager" in found
    function.new = "new" in found
    function.opens = found["opens"][1:-1] if "opens" in found else None
    function.then = found["then"][1:-1] if "then" in found else None
    function.syscall = found["syscall"][1:-1] if "syscall" in found else None
    function.unless = found["unless"][1:-1] if "unless" in found else None
    function.hidden = found["hidden"][1:-1] if "hidden" in found else None
    if "with" in found:
        besides = [parse_parameter(part) for part in split_top(found["with"][1:-1], ",")]
        for param in besides:
            param.is_passed = False
        function.implied += besides
    if "fold" in found:
        function.folds = found["fold"][1:-1]
        function.implied.append(run_time())
    if "quick" in found:
        function.quick = split_top(found["quick"][1:-1], ",")
        if not function.folds or len(function.quick) != 3:
            raise CatalogueError(f"{function.name}: 'quick' says stream, when, and how, of a function that folds")
    function.persistent = "persistent" in found
    if "large" in found:
        function.large = large_types(function, found["large"])
    function.record_as = found.get("as")
    function.condition, function.since = found.get("if"), found.get("since")
    function.missing = found.get("missing", layer.missing)
    function.result = found.get("result", "none" if function.type == "void" else layer.result)
    fails = found.get("fails", layer.fails or FAILS.get(function.result, "-1"))
    function.fails, function.valid = failure(fails)
    if "valid" in found:
        function.valid = found["valid"][1:-1]
        function.has_valid = True
    return function


def run_time():
    """What is recorded last of a function that folds: the time in the calls of a run, 0 where there is none."""
    param = parse_parameter("int64_t busy:busy(0)")
    param.is_passed = False
    return param


def large_types(function, value):
    """{parameter: type} from (TYPE NAME, TYPE NAME)."""
    pairs = [] if value is True else [part.rpartition(" ") for part in split_top(value[1:-1], ",")]
    names = {param.name for param in function.params}
    for _, _, name in pairs:
        if name not in names:
            raise CatalogueError(f"{function.name}: 'large' has no parameter '{name}'")
    return {name: element for element, _, name in pairs}


def read_catalogue(paths):
    """All functions of all files, in order; each is right in itself."""
    functions = []
    for path in paths:
        source = "functions/" + os.path.basename(path)
        layer = None
        for number, text in statements(path):
            where = f"{path}:{number}"
            try:
                if text.startswith("untraced "):
                    continue
                if text.startswith("layer "):
                    layer = parse_layer(text, source)
                elif layer is None:
                    raise CatalogueError("a function before the first 'layer'")
                else:
                    function = parse_function(text, layer, where)
                    functions += [function] + derived(function, parse_parameter)
            except CatalogueError as error:
                raise CatalogueError(f"{where}: {error}") from None
    return functions


def read_untraced(paths):
    """The names that the catalogue says are left out on purpose."""
    return {name for path in paths for _, text in statements(path)
            if text.startswith("untraced ") for name in text.split()[1:]}


# ---- checking ----

def check_array(function, param, kinds):
    """An array of a scalar kind has the array kind of that name, else that of numbers."""
    names = [other.name for other in function.params]
    for word in re.findall(r"\b[A-Za-z_]\w*\b(?!\()", f"{param.lists or ''} {param.length}"):
        if word not in names:
            raise CatalogueError(f"'{param.name}': '{word}' in its length is no parameter")
    param.scalar = param.kind
    if kinds[param.kind] != "ARRAY":
        plural = param.kind + "s"
        param.kind = plural if kinds.get(plural) == "ARRAY" else "ints"


def is_expression(param):
    """Whether what is recorded is said by a C expression behind the kind, not by a parameter."""
    return not param.is_passed and param.extra


def check_parameter(function, param, kinds):
    if param.kind not in kinds:
        raise CatalogueError(f"unknown kind '{param.kind}' of '{param.name}'")
    if param.mark and not param.is_pointer and not is_expression(param):
        raise CatalogueError(f"'{param.name}' is no pointer, but has '{param.mark}'")
    if param.length is not None:
        check_array(function, param, kinds)
    elif kinds[param.kind] == "ARRAY" and not param.mark and not function.hand:
        raise CatalogueError(f"'{param.name}': the array kind '{param.kind}' needs a length")


def check_fold(function, kinds):
    """Which calls of a function fold is said by numbers that are in their records."""
    known = {param.name: param.kind for param in function.recorded()}
    known["result"] = function.result
    for word in re.findall(r"\b[A-Za-z_]\w*\b", function.folds):
        if word not in known:
            raise CatalogueError(f"{function.name}: '{word}' in 'fold' is not recorded")
        if kinds[known[word]] != "INT":
            raise CatalogueError(f"{function.name}: '{word}' in 'fold' is no number")


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
    for param in function.params + function.implied:
        if param.name in RESERVED and not function.hand:
            raise CatalogueError(f"'{param.name}' is a variable of the wrapper")
        if param.kind:
            check_parameter(function, param, kinds)
    if function.folds:
        check_fold(function, kinds)


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
