"""A reference reader of rules: does a row satisfy the sentence?"""

import datetime as dt


def satisfies(rule, row):
    """Return whether a row, a dict of plain values with None for missing, satisfies a rule."""
    if rule == "any row":
        return True
    return all(_holds(text.strip("()"), row) for text in rule.split(" and "))


def _holds(text, row):
    if " missing or " in text:
        name, rest = text.split(" missing or ")
        return row[name] is None or _holds(rest if name in rest.split() else f"{name} {rest}", row)
    if text.endswith(" not missing"):
        return row[text.removesuffix(" not missing")] is not None
    if text.endswith(" missing"):
        return row[text.removesuffix(" missing")] is None
    if text.endswith(" unseen"):
        return False  # no training row is
    if " not in {" in text:
        name, labels = text.rstrip("}").split(" not in {")
        return row[name] is not None and str(row[name]) not in labels.split(", ")
    if " in {" in text:
        name, labels = text.rstrip("}").split(" in {")
        return str(row[name]) in labels.split(", ")
    return _compared(_words(text), row)


def _words(text):
    """Split at blanks, but keep a date and its time together."""
    words = []
    for word in text.split(" "):
        if ":" in word and words:
            words[-1] += " " + word
        else:
            words.append(word)
    return words


def _compared(words, row):
    if len(words) == 5:
        low, first, name, second, high = words
        rotated = {"≤": "≥", "<": ">"}[first]
        return _compared([name, rotated, low], row) and _compared([name, second, high], row)
    name, sign, bound = words
    value = row[name]
    if value is None:
        return False
    if sign in "=≠" and not isinstance(value, int | float):
        return (str(value) == bound) == (sign == "=")
    if sign in "=≠" and isinstance(value, bool):
        return (str(value) == bound) == (sign == "=")
    bound = dt.datetime.fromisoformat(bound) if isinstance(value, dt.datetime) else float(bound)
    return {
        "<": value < bound,
        "≤": value <= bound,
        ">": value > bound,
        "≥": value >= bound,
        "=": value == bound,
        "≠": value != bound,
    }[sign]
