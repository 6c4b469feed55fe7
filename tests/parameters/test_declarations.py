"""Every public parameter is declared once: signature, declaration and docstring tell the same."""

from __future__ import annotations

import inspect
import re

import pytest
from public_estimators import ESTIMATORS, parameters_of_init

from boxwood.parameters import DeclaredParameters, Integer, Parameter, declare, declared_parameters
from boxwood.parameters.docstring import with_parameters

PARAMETERS = [(cls, name) for cls in ESTIMATORS for name in parameters_of_init(cls)]
EVERY_PARAMETER = pytest.mark.parametrize(
    ("cls", "name"), PARAMETERS, ids=[f"{cls.__name__}.{name}" for cls, name in PARAMETERS]
)


def section(docstring):
    """Return name, kind with default, and sentence of each entry of the section "Parameters"."""
    lines = inspect.cleandoc(docstring).splitlines()
    starts = [i for i, line in enumerate(lines) if line == "Parameters" and lines[i + 1] == "-" * len(line)]
    if not starts:
        return []
    assert len(starts) == 1, "two sections of parameters"
    entries = []
    for line in lines[starts[0] + 2 :]:
        if line and not line.startswith(" ") and " : " not in line:
            break  # the next section
        if line and not line.startswith(" "):
            name, kind = line.split(" : ", 1)
            entries.append([name, kind, ""])
        elif line:
            entries[-1][2] += " " + line.strip()
    return [tuple(part.strip() for part in entry) for entry in entries]


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_signature_declarations_and_docstring_have_the_same_names_in_order(cls):
    names = list(parameters_of_init(cls))
    assert list(declared_parameters(cls)) == names
    assert [name for name, _, _ in section(cls.__doc__)] == names


@EVERY_PARAMETER
def test_an_entry_has_kind_default_and_sentence(cls, name):
    declared, default = declared_parameters(cls)[name], parameters_of_init(cls)[name].default
    entry = {entry[0]: entry for entry in section(cls.__doc__)}[name]
    shown = f'"{default}"' if isinstance(default, str) else repr(default)
    assert entry[1] == f"{declared.kind.text}, default={shown}"
    assert entry[2] == " ".join(declared.described.split())


@EVERY_PARAMETER
def test_every_parameter_has_a_sentence(cls, name):
    sentence = declared_parameters(cls)[name].sentence
    assert re.fullmatch(r"[A-Z0-9\"`(].{3,}\.", sentence, re.DOTALL)
    assert len(sentence) > 6


@EVERY_PARAMETER
def test_a_default_may_be(cls, name):
    declared_parameters(cls)[name].check(cls())


@EVERY_PARAMETER
def test_what_cannot_be_is_refused_by_name(cls, name):
    class Nothing:
        pass

    declared = declared_parameters(cls)[name]
    wrong = Nothing()
    try:
        declared.kind.check("", wrong)
    except (TypeError, ValueError):
        with pytest.raises((TypeError, ValueError), match=rf"^{cls.__name__}: {name}\b"):
            cls(**{name: wrong})._check_parameters()
    else:
        assert name in CHECKED_WITH_THE_TABLE


CHECKED_WITH_THE_TABLE = {
    "alpha",
    "bounds",
    "class_weight",
    "cv",
    "metric",
    "metric_params",
    "monotonic_cst",
    "p",
    "priors",
    "range",
    "sampling_strategy",
}
"""Parameters whose kind takes any object: they are judged in ``fit``, where the table is known."""


class Base(DeclaredParameters):
    _parameters = declare(
        Parameter("size", Integer(1), "How large it is."), Parameter("hue", Integer(0), "Of which colour.")
    )


class Child(Base):
    """Show what a child is.

    Attributes
    ----------
    size_ : int
    """

    _parameters = declare(
        Parameter("hue", Integer(0, 7), "Of which of these:\n- red,\n- blue."),
    )

    def __init__(self, hue: int = 3, size: int = 1) -> None:
        self.hue = hue
        self.size = size

    def _check_combinations(self) -> None:
        if self.size < self.hue:
            raise ValueError("hue is too large for size")


def test_declarations_are_inherited_and_overridden_in_the_order_of_init():
    declared = declared_parameters(Child)
    assert list(declared) == ["hue", "size"]
    assert declared["hue"].kind == Integer(0, 7)
    assert declared["size"] is Base._parameters[0]


def test_the_section_stands_before_the_others():
    assert inspect.cleandoc(Child.__doc__).splitlines() == [
        "Show what a child is.",
        "",
        "Parameters",
        "----------",
        "hue : int in [0, 7], default=3",
        "    Of which of these:",
        "    - red,",
        "    - blue.",
        "size : int ≥ 1, default=1",
        "    How large it is.",
        "",
        "Attributes",
        "----------",
        "size_ : int",
    ]


def test_a_written_section_and_a_docstring_without_sections():
    declared, signature = declared_parameters(Child), inspect.signature(Child.__init__)
    assert with_parameters(Child.__doc__, signature, declared) == Child.__doc__
    alone = with_parameters("Show a child.", signature, declared)
    assert [name for name, _, _ in section(alone)] == ["hue", "size"]
    assert with_parameters("Show a child.", signature, {}) == "Show a child."


def test_combinations_are_checked_after_the_parameters():
    Child(0, 1)._check_parameters()
    with pytest.raises(ValueError, match="Child: hue must be from 0 to 7; got 8"):
        Child(8, 1)._check_parameters()
    with pytest.raises(ValueError, match="hue is too large"):
        Child(3, 1)._check_parameters()


def test_a_declaration_with_another_sentence_or_kind():
    size = Base._parameters[0]
    assert size.but("Its height.") == Parameter("size", Integer(1), "Its height.")
    assert size.but(kind=Integer(2)) == Parameter("size", Integer(2), "How large it is.")
