"""Model files made wrong on purpose."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

import boxwood as bw


def a_model() -> bw.GaussianDensity:
    X = np.random.default_rng(0).normal(size=(30, 2)) @ [[1.0, 0.5], [0.0, 1.0]]
    return bw.GaussianDensity(shrinkage=0.1).fit(X)


def parts(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a model file's header and tensors, by another way than boxwood's own."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])["__metadata__"]["boxwood"]
    return json.loads(header), load_tensors(content)


def joined(header: Any, tensors: dict[str, Any]) -> bytes:
    text = header if isinstance(header, str) else json.dumps(header)
    return save_tensors(tensors, metadata={"boxwood": text})


def rewrite(path: Path, edit: Callable[[dict[str, Any], dict[str, Any]], Any]) -> None:
    """Change a model file by a function of its header and tensors; what it returns is the new header."""
    header, tensors = parts(path.read_bytes())
    changed = edit(header, tensors)
    path.write_bytes(joined(header if changed is None else changed, tensors))
