# SPDX-License-Identifier: MIT
"""Rows of results: what was measured, what it should be, and how both are printed and kept."""
import json

FORMAT = 1
VALUE_MAX = 20
COLUMNS = ("what", "this build", "goal", "ratio", "met")


def row(name, what, value, unit, goal=None, higher=False, steady=True):
    """A result. `higher`: more is better; not `steady`: too uncertain to compare builds by."""
    return {"name": name, "what": what, "value": value, "unit": unit, "goal": goal,
            "higher": higher, "steady": steady}


def missing(name, what, reason):
    """Something that could not be measured."""
    return {"name": name, "what": what, "value": None, "reason": reason}


def number(value, unit):
    """Three significant digits, without an exponent."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f} {unit}".rstrip()


def is_met(result):
    """True, False, or None where there is no goal."""
    if result["value"] is None or result["goal"] is None:
        return None
    if result["higher"]:
        return result["value"] >= result["goal"]
    return result["value"] <= result["goal"]


def cells(result):
    """The texts of a line of the table."""
    if result["value"] is None:
        return result["what"], result["reason"], "", "", ""
    shown = number(result["value"], result["unit"])
    if result["goal"] is None:
        return result["what"], shown, "", "", ""
    ratio = f"{result['value'] / result['goal']:.2f}" if result["goal"] else ""
    sign = ">=" if result["higher"] else "<="
    return (result["what"], shown, f"{sign} {number(result['goal'], result['unit'])}",
            ratio, "yes" if is_met(result) else "NO")


def table(results):
    """The whole table as text."""
    lines = [COLUMNS] + [cells(result) for result in results]
    # a reason why something could not be measured may be long
    short = [line for line in lines if len(line[1]) <= VALUE_MAX]
    widths = [max(len(line[i]) for line in short) for i in range(len(COLUMNS))]

    def form(line):
        rest = (text.rjust(width) for text, width in zip(line[1:], widths[1:]))
        return "  ".join([line[0].ljust(widths[0]), *rest]).rstrip()

    return "\n".join([form(lines[0]), "-" * (sum(widths) + 2 * len(widths) - 2)]
                     + [form(line) for line in lines[1:]])


def save(path, machine, results):
    """Keeps the results for bench/compare."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"format": FORMAT, "machine": machine, "rows": results}, file, indent=1)
        file.write("\n")


def load(path):
    """{name: row} of a file written by save()."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError("not results of bench/run, or of another version")
    return {result["name"]: result for result in document["rows"]}
