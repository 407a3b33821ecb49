# SPDX-License-Identifier: MIT
"""Makes the wrappers of Fortran's functions from the catalogue lines of those in C.

A layer with the attribute `fortran` has for each function MPI_X(...) a Fortran subroutine X(..., ierror),
whose arguments all are addresses: mpi_x_ with its other spellings (mpif.h, the module mpi) and
mpi_x_f08_ (mpi_f08). The wrappers behind these names (entries.py) go to one function, fortran_mpi_x(), which records the call under the C name and
makes it with the program's own arguments: they are converted for the record alone, by the inline
functions of lib/wrap/mpi_fortran.h.
"""
import re

from catalogue import MADE, CatalogueError, split_top
from ctext import block, declare, head, statement, wrapped

HANDLES = {"MPI_Comm": "comm", "MPI_Group": "group", "MPI_Datatype": "datatype", "MPI_Op": "op",
           "MPI_Win": "win", "MPI_Info": "info", "MPI_Errhandler": "errhandler",
           "MPI_Message": "message", "MPI_File": "mpi_file", "MPI_Request": "request"}
LONG = {"MPI_Aint", "MPI_Offset", "MPI_Count"}  # of 64 bits
WORDS = {"none", "mpi1", "cptr", "by-hand"}
RESERVED = {"call", "next", "site", "ignored", "absent", "ierror"}  # variables of a wrapper
GUARD = "FORTRAN_CALLS_PMPI"


class Argument:
    """A parameter of the C function as Fortran passes it."""

    def __init__(self, param, mpi1):
        self.param, self.name = param, param.name
        const = "const " if "const" in param.declaration or not param.is_pointer else ""
        array = "[]" if param.length is not None else ""
        element = param.element
        self.is_text = element == "char"
        self.is_handle = element in HANDLES
        self.is_long = element in LONG and not mpi1
        if element.endswith("_function"):
            self.declaration = f"fortran_procedure *{self.name}"
        elif element == "void" or self.is_text:
            self.declaration = f"{const}{element} *{self.name}"
        else:
            kind = element if self.is_long else "MPI_Fint"
            self.declaration = f"{const}{kind} {'' if array else '*'}{self.name}{array}"

    def value(self):
        """The C expression for what C gets."""
        if self.is_text:
            return f"{self.name}, {self.name}_length"
        if self.param.is_pointer:
            return self.name
        if self.is_handle:
            return f"fortran_{HANDLES[self.param.element]}({self.name})"
        return f"*{self.name}"


class Subroutine:
    """The Fortran form of a function."""

    def __init__(self, function):
        words = function.fortran
        dropped = {word[1:] for word in words if word.startswith("-")}
        for word in words:
            if not word.startswith("-") and word not in WORDS:
                raise CatalogueError(f"{function.where}: '{word}' says nothing of Fortran")
        self.function = function
        self.name = function.name.lower()
        self.body = f"fortran_{self.name}"
        self.by_hand = function.hand or "by-hand" in words
        self.arguments = [Argument(param, "mpi1" in words) for param in function.params
                          if param.name not in dropped]
        for argument in self.arguments:
            if argument.name in RESERVED and not self.by_hand:
                raise CatalogueError(f"{function.where}: '{argument.name}' is a variable of the wrapper")
        # functions with a result have no error, and are those of C in mpi_f08
        self.has_error = function.type == "int" and "ierror" not in dropped
        self.type = "void" if function.type == "int" else function.type
        self.spellings = [self.name] + ([f"{self.name}_cptr"] if "cptr" in words else [])
        self.has_f08 = function.type == "int" and "mpi1" not in words

    def symbols(self):
        """[(exported name, that of the profiling interface)]: those with a next definition of their own."""
        names = [f"{name}_" for name in self.spellings] + ([f"{self.name}_f08_"] if self.has_f08 else [])
        return [(name, f"p{name}") for name in names]

    def exported(self):
        names = [name for name, _ in self.symbols()]
        for name in self.spellings:
            names += [name, f"{name}__", name.upper()]
        return names

    def declarations(self):
        parts = [argument.declaration for argument in self.arguments]
        parts += ["MPI_Fint *ierror"] if self.has_error else []
        return parts + [f"size_t {argument.name}_length" for argument in self.arguments
                        if argument.is_text]

    def names(self):
        names = [argument.name for argument in self.arguments]
        names += ["ierror"] if self.has_error else []
        return names + [f"{argument.name}_length" for argument in self.arguments if argument.is_text]

    def expression(self, text):
        """A C expression of the catalogue, in terms of what Fortran passes."""
        values = {argument.name: argument.value() for argument in self.arguments}
        values["result"] = "*ierror"
        text = text.replace("length_in_place(", "fortran_in_place(")
        return re.sub(r"\b[A-Za-z_]\w*\b(?!\()", lambda match: values.get(match[0], match[0]), text)

    def asked(self, text):
        """What the catalogue asks before a call: size(comm) and its like are functions of lib/wrap."""
        return self.expression(re.sub(r"\b(\w+)\(", r"length_\1(", text))

    def recorded(self):
        """[(index in the record, argument)]"""
        arguments = {argument.name: argument for argument in self.arguments}
        return list(enumerate(arguments.get(param.name) or Argument(param, False)
                              for param in self.function.recorded()))


# ---- what a wrapper records ----

def capture_array(argument, subroutine, begin):
    length = subroutine.asked(argument.param.length)
    name = argument.name
    if argument.is_handle:
        function = f"arg_fortran_{HANDLES[argument.param.element]}s"
    elif argument.param.scalar == "bool":
        function = "arg_fortran_logicals"
    elif argument.is_long:
        function, name = "arg_longs", f"(const int64_t *){name}"
    else:
        function = "arg_fortran_ints"
    return statement(function, begin + [name, length])


def made(argument, subroutine):
    """What enters into its table what a call has made: the parts of the expression."""
    kind, extra = HANDLES[argument.param.element], argument.param.extra
    parts = [f"fortran_{kind}_made(*ierror", argument.name]
    parts += split_top(subroutine.expression(extra), ",") if extra else []
    return parts[:-1] + [parts[-1] + ")"]


def ended(argument):
    return f"fortran_{HANDLES[argument.param.element]}_ended({argument.name})"


def capture_handle(argument, subroutine, begin):
    kind = HANDLES[argument.param.element]
    if argument.param.mark == "+":
        return statement("arg_int", begin + made(argument, subroutine))
    if argument.param.mark == "-":
        return statement("arg_int", begin + [ended(argument)])
    if kind == "request":
        return statement("arg_fortran_request", begin + [argument.name])
    if argument.param.is_output:
        return statement(f"arg_fortran_{kind}_at", begin + [argument.name])
    handle = f"fortran_{kind}({argument.name})"
    if argument.param.extra:
        asked = subroutine.asked(argument.param.extra)
        return statement(f"arg_mpi_{kind}_if", begin + [asked, handle])
    return statement(f"arg_mpi_{kind}", begin + [handle])


def capture(index, argument, subroutine, kinds):
    """The statement that puts an argument into the record."""
    param, begin = argument.param, ["&call", str(index)]
    if param.kind == "busy":
        return statement("arg_int", begin + [param.extra])
    if param.kind in MADE:
        return statement(f"arg_{param.kind}", begin + [subroutine.asked(param.extra)])
    if param.kind == "mpi_status":
        part = f"_{param.extra}" if param.extra else ""
        return statement(f"arg_fortran_status{part}", begin + ["*ierror", param.name])
    if argument.is_text:
        what = param.kind if param.kind in ("path", "strings") else "string"
        asked = f"{subroutine.asked(param.extra)} ? {param.name} : NULL" if param.extra else param.name
        return statement(f"arg_fortran_{what}", begin + [asked, f"{param.name}_length"])
    if param.length is not None:
        return capture_array(argument, subroutine, begin)
    if argument.is_handle:
        return capture_handle(argument, subroutine, begin)
    if param.kind == "in_place":
        return statement("arg_int", begin + [f"fortran_in_place({param.name})"])
    if param.kind == "bool":
        return statement("arg_int", begin + [f"fortran_logical({param.name})"])
    if param.mark and argument.is_long:
        return statement("arg_long_at", begin + [f"(const int64_t *){param.name}"])
    if param.mark:
        return statement("arg_int_at", begin + [param.name])
    return statement("arg_fd" if param.kind == "fd" else "arg_int", begin + [argument.value()])


# ---- a wrapper ----

def forward(subroutine, begin):
    """The call of the real function."""
    return wrapped(f"{begin}next(", subroutine.names(), ");")


def on_success(subroutine):
    function = subroutine.function
    if not function.then:
        return []
    return [f"\tif ({subroutine.expression(function.valid)})",
            f"\t\t{subroutine.expression(function.then)};"]


def keep_books(subroutine):
    """What has to be done around a call that is not recorded: lines before and after it."""
    function = subroutine.function
    arguments = [argument for _, argument in subroutine.recorded()]
    before = [f"\t\t{ended(argument)};" for argument in arguments if argument.param.mark == "-"]
    after = [wrapped("\t\t", made(argument, subroutine), ";") for argument in arguments
             if argument.param.mark == "+"]
    if after and function.has_valid:
        after = [f"\t{line}" for line in
                 block(subroutine.expression(function.valid), [line[1:] for line in after])]
    return before, after + [f"\t{line}" for line in on_success(subroutine)]


def unrecorded(subroutine):
    function = subroutine.function
    enter = statement(f"if (!{function.entering()}", ["&call", f"FN_{function.name}",
                                          str(len(function.recorded())), "site"], end="))")
    before, after = keep_books(subroutine)
    if subroutine.type != "void":
        return [enter, forward(subroutine, "\t\treturn ")]
    return [f"{enter} {{"] + before + [forward(subroutine, "\t\t")] + after + ["\t\treturn;", "\t}"]


def recorded(subroutine, kinds):
    """The path of a call that is recorded."""
    function, numbered = subroutine.function, subroutine.recorded()
    before = [f"\targ_int(&call, {at}, 0);" if argument.param.is_output
              else capture(at, argument, subroutine, kinds) for at, argument in numbered]
    before += [f"\t{argument.name} = fortran_status_or({argument.name}, &ignored);"
               for _, argument in numbered if argument.param.kind == "mpi_status"]
    after = [capture(at, argument, subroutine, kinds) for at, argument in numbered
             if argument.param.is_output]
    if after and function.is_poll():
        after.insert(0, "\tpoll_found(&call);")
    if after and function.valid:
        after = block(subroutine.expression(function.valid), after)
    real = forward(subroutine, "\t" if subroutine.type == "void" else "\tresult = ")
    result = "*ierror" if subroutine.has_error else "result"
    return (before + [f"\t{function.starting()}", real, f"\t{function.recording()}stop(&call);"] + on_success(subroutine) +
            [f"\tresult_{function.result}(&call, {result});"] + after + [f"\t{function.leaving()}(&call);"])


def missing(subroutine):
    """What happens where no library of the process has the function."""
    if subroutine.has_error:
        return ["\tif (!next) {", f"\t\t*ierror = {subroutine.function.missing};", "\t\treturn;", "\t}"]
    value = "" if subroutine.type == "void" else f" {subroutine.function.missing}"
    return ["\tif (!next)", f"\t\treturn{value};"]


def prototype(subroutine, begin):
    parts = [f"{subroutine.name}_procedure *next", "uintptr_t site"] + subroutine.declarations()
    return wrapped(f"{begin}{declare(subroutine.type, subroutine.body)}(", parts, ")")


def procedure(subroutine):
    return wrapped(f"typedef {declare(subroutine.type, subroutine.name)}_procedure(",
                   subroutine.declarations() or ["void"], ");")


def body(subroutine, kinds):
    """The function behind all spellings."""
    lines = [procedure(subroutine), "", prototype(subroutine, "static "), "{", "\tstruct call call;"]
    if any(argument.param.kind == "mpi_status" for argument in subroutine.arguments):
        lines.append("\tunion fortran_status ignored;")
    if subroutine.type != "void":
        lines.append(f"\t{declare(subroutine.type, 'result')};")
    if subroutine.has_error:
        lines += ["\tMPI_Fint absent;", "", "\tierror = fortran_error(ierror, &absent);"]
    else:
        lines.append("")
    lines += missing(subroutine) + unrecorded(subroutine) + recorded(subroutine, kinds)
    lines += ["}"] if subroutine.type == "void" else ["\treturn result;", "}"]
    return "\n".join(lines)


def entry(subroutine, symbol):
    """What is behind an exported name: a jump where nothing is to be recorded or kept."""
    is_void = subroutine.type == "void"
    begin = "\t" if is_void else "\treturn "
    call = [subroutine.body + "(", ["next", "CALL_SITE"] + subroutine.names(), ");"]
    lines = [wrapped(f"{declare(subroutine.type, f'wrap_{symbol}')}(", subroutine.declarations() or ["void"], ")"),
             "{", f"\t{subroutine.name}_procedure *next = function_next(SYM_{symbol});", ""]
    if subroutine.by_hand or keep_books(subroutine) != ([], []):
        return "\n".join(lines + [wrapped(begin + call[0], *call[1:]), "}"])
    lines += [f"\tif (next && function_state_of(FN_{subroutine.function.name}) == FUNCTION_OFF)",
              forward(subroutine, "\t" + begin)]
    lines += ["\telse", wrapped("\t" + begin + call[0], *call[1:])] if is_void else [wrapped(begin + call[0], *call[1:])]
    return "\n".join(lines + ["}"])


def wrapper(subroutine, kinds):
    parts = [] if subroutine.by_hand else [body(subroutine, kinds)]
    parts += [entry(subroutine, symbol) for symbol, _ in subroutine.symbols()]
    return "\n\n".join(parts)


# ---- the files ----

def subroutines(functions):
    """Of all that MPI-3.1 has: an MPI that has more calls MPI_X, where wrappers see it."""
    return [Subroutine(function) for function in functions
            if function.layer.fortran and not function.since and "none" not in function.fortran]


def symbols(functions):
    """[(exported name, name of the profiling interface)] of all that has a next definition."""
    return [row for subroutine in subroutines(functions) for row in subroutine.symbols()]


def exported(functions):
    return [name for subroutine in subroutines(functions) for name in subroutine.exported()]


def write_wrappers(layer, functions, kinds):
    """wrap_LAYER_fortran_gen.c"""
    text = (head(layer.source) + '#include "wrap/wrapper.h"\n\n' +
            f'#include "fortran_gen.h"\n#include "wrap/mpi_fortran.h"\n\n#ifdef {GUARD}\n\n')
    mine = [function for function in functions if function.layer.name == layer.name]
    return text + "\n\n".join(wrapper(subroutine, kinds) for subroutine in subroutines(mine)) + \
        "\n\n#endif\n"


def write_header(functions):
    """fortran_gen.h: what is by hand, in lib/wrap."""
    parts = [f"{procedure(subroutine)}\n{prototype(subroutine, '')};"
             for subroutine in subroutines(functions) if subroutine.by_hand]
    return (head("the catalogue") + "#ifndef RECORDER_FORTRAN_GEN_H\n#define RECORDER_FORTRAN_GEN_H\n\n"
            "#include <stddef.h>\n#include <stdint.h>\n\n#include \"wrap/mpi_library.h\"\n\n" +
            "\n\n".join(parts) + "\n\n#endif\n")
