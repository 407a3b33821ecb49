# SPDX-License-Identifier: MIT
"""Makes the wrappers of a layer: wrap_LAYER_gen.c. How one goes on is told in lib/wrap/wrapper.h."""
from captures import capture, capture_result, captures
from ctext import LINE_WIDTH, block, columns, declare, head, statement, wrapped


def forward(function, begin):
    """The call of the real function."""
    return wrapped(f"{begin}next(", [param.name for param in function.params], ");")


def on_success(function):
    """What has to be done after a successful call, whether or not it is recorded."""
    action = None
    if function.new:
        action = "\t\tdescriptor_forget(result);"
    elif function.opens:
        action = statement("descriptor_opened", ["result", function.opens], "\t\t")
    elif function.then:
        action = f"\t\t{function.then};"
    if action and not function.valid:
        return [action[1:]]  # of what has no result
    return [f"\tif ({function.valid})", action] if action else []


def keep_books(function):
    """What has to be done around a call that is not recorded: lines before and after it."""
    before, after = [], []
    for param in function.recorded():
        if param.mark == "-":
            before.append(statement(f"mpi_{param.kind}_ended", [param.name], "\t\t"))
        elif param.mark == "+":
            extra = [param.extra] if param.extra else []
            after.append(statement(f"mpi_{param.kind}_made", ["result", param.name] + extra,
                                   "\t\t"))
    if after and function.has_valid:
        after = [f"\t{line}" for line in block(function.valid, [line[1:] for line in after])]
    return before, after + [f"\t{line}" for line in on_success(function)]


def number_of(function):
    """What its calls are recorded as."""
    return f"FN_{function.record_as or function.name}"


def what_begins(function):
    """The last arguments of what begins a call."""
    return [number_of(function), str(len(function.recorded())), "CALL_SITE"]


def unrecorded(function):
    """What happens to a call that is not recorded: a jump, unless there is a book to keep."""
    if enters_by_scope(function):
        enter = "\tif (!recorded)"
    else:
        passed_on = f"{function.unless} || " if function.unless else ""
        enter = statement(f"if ({passed_on}!{function.entering()}", ["&call"] + what_begins(function), end="))")
    before, after = keep_books(function)
    if function.type == "void":
        return [f"{enter} {{"] + before + [forward(function, "\t\t")] + after + ["\t\treturn;", "\t}"]
    if not before and not after:
        return [enter, forward(function, "\t\treturn ")]
    if not after:
        return [f"{enter} {{"] + before + [forward(function, "\t\treturn "), "\t}"]
    return ([f"{enter} {{"] + before + [forward(function, "\t\tresult = ")] + after +
            ["\t\treturn result;", "\t}"])


def is_passed(function):
    """Whether a call that is not recorded needs nothing but to be passed on, which is asked first."""
    return (not on_success(function) and
            not any(param.mark in ("+", "-") for param in function.recorded()))


def enters_by_scope(function):
    """Whether the real function is looked up and the call begun in one step."""
    return function.layer.scoped and function.layer.far and is_passed(function) and not function.unless


def pass_on(function, symbol):
    """What is done with a call that is filtered out."""
    real = forward(function, "\t\t" if function.type == "void" else "\t\treturn ")
    lines = ["\tif (unlikely(next != NULL)) {", real, "\t\treturn;", "\t}"] if function.type == "void" else [
        "\tif (unlikely(next != NULL))", real]
    if enters_by_scope(function):
        parts = ["&call", "&real", f"SYM_{symbol}"] + what_begins(function)
        return lines + [statement("recorded = call_far_enter_real", parts), "\tnext = real.function;"]
    if function.layer.scoped:
        return lines + [f"\treal = scope_real(SYM_{symbol}, CALL_SITE);", "\tnext = real.function;"]
    return lines + [f"\tnext = function_next(SYM_{symbol});"]


def refused(function):
    """For the program a descriptor of ours is a closed one."""
    return [f"\tif (unlikely(descriptor_is_ours({function.hidden})))",
            "\t\treturn descriptor_refused();"] if function.hidden else []


def declarations(function, symbol, passed):
    lines = []
    begin, end = f"\t__typeof__({symbol}) *next =", f"function_next(SYM_{symbol});"
    number = number_of(function)
    if passed:
        end = f"function_passed_on({number}, SYM_{symbol});"
    if function.layer.scoped and passed:
        lines.append("\tstruct real real;")
        end = f"scope_passed_on({number}, SYM_{symbol}, CALL_SITE);"
    elif function.layer.scoped:
        lines.append(f"\tstruct real real = scope_real(SYM_{symbol}, CALL_SITE);")
        end = "real.function;"
    glue = " " if columns(f"{begin} {end}") <= LINE_WIDTH else "\n\t\t"
    lines += [begin + glue + end, "\tstruct call call;"]
    if enters_by_scope(function):
        lines.append("\tbool recorded;")
    if function.type != "void":
        lines.append(f"\t{declare(function.type, 'result')};")
    if any(param.kind == "mpi_status" for param in function.params):
        lines.append("\tMPI_Status ignored;")
    if any(param.kind == "address" and param.is_output for param in function.params):
        lines.append("\tsocklen_t room;")
    return lines


def recorded(function, kinds):
    """The path of a call that is recorded."""
    numbered = list(enumerate(function.recorded()))
    before = captures(function, kinds)
    after = [capture(function, param, at, kinds) for at, param in numbered if param.is_output]
    status = [f"\t{param.name} = mpi_status_or({param.name}, &ignored);"
              for param in function.params if param.kind == "mpi_status"]
    new = [] if function.opens else on_success(function)
    if after and function.is_poll():
        after.insert(0, "\tpoll_found(&call);")
    if after and function.valid:
        after = block(function.valid, after)
    real = forward(function, "\t" if function.type == "void" else "\tresult = ")
    leave = f"\t{function.leaving()}(&call);"
    if function.quick:
        leave = statement("counted_leave", ["&call", "symbol", function.quick[0], "next"])
    return (before + status + [f"\t{function.starting()}", real, f"\t{function.recording()}stop(&call);"] + new +
            capture_result(function) + after + [leave])


def wrapper(function, symbol, kinds):
    """The definition of one exported symbol."""
    missing = []
    if function.missing:
        value = "" if function.type == "void" else f" {function.missing}"
        missing = ["\tif (!next)", f"\t\treturn{value};"]
    params = [param.declaration for param in function.params] or ["void"]
    lines = [wrapped(f"WRAPPER {declare(function.type, symbol)}(", params, ")"), "{"]
    passed = is_passed(function)
    lines += declarations(function, symbol, passed) + [""] + refused(function)
    lines += pass_on(function, symbol) if passed else []
    lines += missing + unrecorded(function)
    lines += recorded(function, kinds)
    lines += ["}"] if function.type == "void" else ["\treturn result;", "}"]
    return "\n".join(lines)


def timed(function, kinds):
    """What is behind all symbols of a function of which most calls are only counted: the others."""
    stream, ready, _ = function.quick
    params = ["unsigned symbol", "uintptr_t site"] + [param.declaration for param in function.params]
    lines = [wrapped(f"static __attribute__((noinline)) {declare(function.type, f'timed_{function.name}')}(", params, ")"),
             "{", "\tstruct thread *thread = thread_tls.self;",
             statement("struct counted_place *place = counted_claim_other", ["thread", "symbol", stream, "site"]),
             f"\t__typeof__({function.name}) *next = function_next_at(symbol, site);", "\tstruct call call;",
             f"\t{declare(function.type, 'result')};", "",
             "\tif (place) {",
             statement(f"bool counted = {ready} && counted_add", ["thread", "place", f"FN_{function.name}"], "\t\t"), "",
             "\t\tcounted_let_go(thread);", "\t\tif (counted)", forward(function, "\t\t\treturn "), "\t}"]
    lines += [line.replace("CALL_SITE", "site") for line in unrecorded(function)]
    return "\n".join(lines + recorded(function, kinds) + ["\treturn result;", "}"])


def counting(function, symbol):
    """The definition of one of its symbols. It has no frame of its own."""
    stream, ready, same = function.quick
    lines = [wrapped(f"WRAPPER {declare(function.type, symbol)}(",
                     [param.declaration for param in function.params] or ["void"], ")"),
             "{", "\tstruct thread *thread = thread_tls.self;",
             statement("struct counted_place *place = counted_claim", ["thread", f"SYM_{symbol}", stream, "CALL_SITE"]),
             f"\t__typeof__({symbol}) *next = NULL;", "",
             "\tif (place) {", f"\t\tif (likely({ready}))",
             statement("next = counted_add", ["thread", "place", f"FN_{function.name}"], "\t\t\t"),
             "\t\tcounted_let_go(thread);", "\t}", "\tif (unlikely(!next))",
             statement(f"return timed_{function.name}",
                       [f"SYM_{symbol}", "CALL_SITE"] + [param.name for param in function.params], "\t\t"),
             "\tif (likely(counted_is_direct()))", f"\t\treturn {same};", forward(function, "\treturn "), "}"]
    return "\n".join(lines)


def wrappers(function, kinds):
    """The definitions of all exported symbols of a function."""
    if function.quick:
        return [timed(function, kinds)] + [counting(function, symbol) for symbol in function.symbols()]
    return [wrapper(function, symbol, kinds) for symbol in function.symbols()]


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
             "\n".join(f"#include {name}" for name in layer.header)]
    for function in functions:
        if function.layer.name != layer.name or function.hand:
            continue
        text = "\n\n".join(wrappers(function, kinds))
        condition = guard(function)
        parts.append(f"{condition}\n{text}\n#endif" if condition else text)
    return "\n\n".join(parts) + "\n"
