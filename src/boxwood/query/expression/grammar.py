"""The grammar of expressions, and its parser."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from boxwood.query.expression.syntax_builder import SyntaxBuilder

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["FUNCTIONS", "GRAMMAR", "KEYWORDS", "NAME", "parser"]

NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_WORDS = ("and", "or", "not", "in", "is", "true", "false")
KEYWORDS = frozenset([*_WORDS, "AND", "OR", "NOT", "IN", "IS", "True", "False"])

FUNCTIONS = (
    "mean",
    "median",
    "std",
    "quantile",
    "interval",
    "mode",
    "probabilities",
    "density",
    "entropy",
    "mi",
)
"""What a request may ask of columns, besides a probability."""

GRAMMAR = (
    r"""
start: condition                                     -> plain
     | PROBABILITY LPAR conditions [EVIDENCE conditions] RPAR -> probability
request: start
       | FUNCTION LPAR arguments [EVIDENCE conditions] RPAR -> function
arguments: condition (_COMMA condition)*
?conditions: condition (_COMMA condition)*
?condition: conjunction (_OR conjunction)*
?conjunction: negation (_AND negation)*
?negation: NOT negation                              -> not_
         | comparison
?comparison: sum (COMPARISON sum)*
           | sum _IN items                           -> in_
           | sum NOT _IN items                       -> not_in
           | sum IS MISSING                          -> is_missing
           | sum IS NOT MISSING                      -> is_not_missing
items: LSQB sum (_COMMA sum)* RSQB
     | LPAR sum (_COMMA sum)* RPAR
?sum: product (SIGN product)*
?product: signed (TIMES signed)*
?signed: SIGN signed                                 -> sign
       | operand
?operand: NUMBER                                     -> number
        | TEXT                                       -> text
        | TRUE                                       -> true
        | FALSE                                      -> false
        | NAME                                       -> name
        | QUOTED_NAME                                -> quoted_name
        | LPAR condition RPAR                        -> parentheses

PROBABILITY.3: /P(?=\s*\()/
FUNCTION.3: /(?:"""
    + "|".join(FUNCTIONS)
    + r""")(?=\s*\()/
_AND.2: /(and|AND)\b/
_OR.2: /(or|OR)\b/
NOT.2: /(not|NOT)\b/
_IN.2: /(in|IN)\b/
IS.2: /(is|IS)\b/
MISSING.2: /(missing|null|NULL|None)\b/
TRUE.2: /(true|True)\b/
FALSE.2: /(false|False)\b/
COMPARISON: /==?|!=|<=?|>=?/
NUMBER: /(\d[\d_]*\.?[\d_]*|\.\d[\d_]*)([eE][+-]?\d+)?/
TEXT: /'([^'\\]|\\.)*'|"([^"\\]|\\.)*"/s
QUOTED_NAME: /`([^`\\]|\\.)*`/s
SIGN: /[+-]/
TIMES: /[*\/]/
EVIDENCE: "|"
LPAR: "("
RPAR: ")"
LSQB: "["
RSQB: "]"
_COMMA: ","
NAME: /"""
    + NAME
    + r"""/
%ignore /\s+/
"""
)
"""In lark's notation; docs/reference/expressions.md has it in words."""


@cache
def parser() -> Lark:
    """Return the parser, made at first use: it and the import of lark take 50 ms together."""
    from lark import Lark

    return Lark(GRAMMAR, parser="lalr", start=["start", "request"], transformer=SyntaxBuilder())
