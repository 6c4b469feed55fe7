"""Loading what nobody should trust: `ModelFileError` that names what is wrong, never anything else."""

from __future__ import annotations

import ast
import copy
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from crafting import a_model, joined, parts, rewrite
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save as save_tensors

import boxwood as bw
from boxwood.model_file.tensor_file import TensorFile
from properties import examples


@pytest.fixture
def saved(tmp_path) -> Path:
    a_model().save(tmp_path / "m")
    return tmp_path / "m"


@pytest.fixture(scope="module")
def content(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "m"
    a_model().save(path)
    return path.read_bytes()


def put(*where_and_value):
    """Return an edit that sets an entry of the header by its path."""
    *where, last, value = where_and_value

    def edit(header, tensors):
        place = header
        for key in where:
            place = place[key]
        place[last] = value

    return edit


def drop(*where):
    def edit(header, tensors):
        place = header
        for key in where[:-1]:
            place = place[key]
        if isinstance(place, list):
            del place[where[-1]]
        else:
            place.pop(where[-1], None)

    return edit


def tensor(name, change):
    def edit(header, tensors):
        tensors[f"GaussianDensity.{name}"] = np.ascontiguousarray(change(tensors[f"GaussianDensity.{name}"]))

    return edit


def set_item(index, value):
    def change(array):
        array = array.copy()
        array[index] = value
        return array

    return change


def nested_list(depth):
    return json.loads("[" * depth + "]" * depth)


STATE = ("model", "state")
SCHEMA = ("model", "schema")
EDITS = {
    "newer version": (put("version", 2), "written in format 2 by a newer boxwood .* Upgrade boxwood"),
    "far newer version": (put("version", 10**400), "by a newer boxwood"),
    "no version": (drop("version"), "no format version"),
    "version of text": (put("version", "1"), "no format version"),
    "version true": (put("version", True), "no format version"),
    "version zero": (put("version", 0), "no format version"),
    "extra in header": (put("more", 1), "the header holds the unknown entry 'more'"),
    "no library": (drop("library"), "does not say which boxwood wrote it"),
    "library a number": (put("library", 1), "does not say which boxwood wrote it"),
    "unknown covariance type": (
        put("model", "state", "covariance_type", "tied"),
        "covariance_type is 'tied'",
    ),
    "no model": (drop("model"), "names no class"),
    "model a list": (put("model", []), "names no class"),
    "class a number": (put("model", "class", 3), "names no class"),
    "unknown class": (put("model", "class", "Nonsense"), "no model 'Nonsense'"),
    "a function": (put("model", "class", "load"), "no model 'load'"),
    "a class, no model": (put("model", "class", "Columns"), "no model 'Columns'"),
    "an error class": (put("model", "class", "ModelFileError"), "no model 'ModelFileError'"),
    "a module": (put("model", "class", "importlib"), "no model 'importlib'"),
    "a dunder": (put("model", "class", "__class__"), "no model '__class__'"),
    "a huge class name": (put("model", "class", "x" * 10**6), "no model 'xxx"),
    "extra in model": (put("model", "more", 1), "GaussianDensity: the entry 'more' is unknown"),
    "no params": (drop("model", "params"), "the entry 'params' is missing"),
    "no schema": (drop("model", "schema"), "the entry 'schema' is missing"),
    "no state": (drop("model", "state"), "the entry 'state' is missing"),
    "neither schema nor state": (
        lambda header, tensors: {**header, "model": {"class": "GaussianDensity", "params": {}}},
        "GaussianDensity has no state",
    ),
    "params a list": (put("model", "params", []), "parameters are not a dictionary"),
    "unknown parameter": (put("model", "params", "bandwidth", 1.0), "has no parameter 'bandwidth'"),
    "parameter of wrong type": (put("model", "params", "tol", "small"), "tol must be a number"),
    "parameter out of range": (
        put("model", "params", "false_alarm_rate", 0.9),
        "false_alarm_rate must lie in",
    ),
    "huge parameter": (put("model", "params", "tol", 10**400), "tol must lie in"),
    "parameter a list": (
        put("model", "params", "covariance_type", ["full"]),
        "covariance_type must be one of",
    ),
    "parameter a dictionary": (put("model", "params", "shrinkage", {"a": 1}), "shrinkage must be a number"),
    "unknown tag": (put("model", "params", "tol", {"$code": "x"}), r"holds '\$code'"),
    "deep parameter": (put("model", "params", "tol", nested_list(300)), "nested too deeply"),
    "schema a list": (put(*SCHEMA, []), "schema must hold"),
    "schema without fields": (put(*SCHEMA, "fields", []), "schema has no fields"),
    "schema of other length": (
        lambda header, tensors: header["model"]["schema"]["fields"].pop() and None,
        "shape",
    ),
    "schema with a category": (
        put(*SCHEMA, "fields", 0, {"name": "a", "kind": "categorical", "categories": ["x"]}),
        "'a' is categorical",
    ),
    "unknown kind": (put(*SCHEMA, "fields", 0, "kind", "complex"), "unknown kind 'complex'"),
    "kind a list": (put(*SCHEMA, "fields", 0, "kind", []), "unknown kind"),
    "unknown container": (put(*SCHEMA, "container", "dask"), "container is 'dask'"),
    "state a list": (put(*STATE, []), "GaussianDensity is not a dictionary"),
    "extra in state": (put(*STATE, "more", 1), "GaussianDensity holds the unknown entry 'more'"),
    "no mean": (
        drop(*STATE, "mean"),
        "the tensor 'GaussianDensity.mean' belongs|GaussianDensity.mean is missing",
    ),
    "mean a number": (put(*STATE, "mean", 1.0), "GaussianDensity.mean is not an array"),
    "no such tensor": (put(*STATE, "mean", {"$tensor": "x"}), "the tensor 'x' is missing"),
    "weight negative": (put(*STATE, "weight", -1.0), "GaussianDensity.weight is -1.0"),
    "weight zero": (put(*STATE, "weight", 0), "GaussianDensity.weight is 0"),
    "weight infinite": (put(*STATE, "weight", {"$float": "inf"}), "GaussianDensity.weight is inf"),
    "weight NaN": (put(*STATE, "weight", {"$float": "nan"}), "GaussianDensity.weight is nan"),
    "weight huge": (put(*STATE, "weight", 10**400), "GaussianDensity.weight is"),
    "offset infinite": (put(*STATE, "offset", {"$float": "-inf"}), "GaussianDensity.offset is -inf"),
    "shrinkage beyond 1": (put(*STATE, "shrinkage", 1.5), "GaussianDensity.shrinkage is 1.5"),
    "n_iter zero": (put(*STATE, "n_iter", 0), "GaussianDensity.n_iter is 0"),
    "tensor missing": (
        lambda header, tensors: tensors.pop("GaussianDensity.mean") is None or None,
        "is missing",
    ),
    "tensor too many": (
        lambda header, tensors: tensors.update(more=np.zeros(1)),
        "the tensor 'more' belongs to nothing",
    ),
    "wrong dtype": (tensor("mean", lambda a: a.astype(np.float32)), "mean has the dtype float32"),
    "unknown dtype": (tensor("mean", lambda a: a.astype(np.float16)), "has the dtype F16"),
    "wrong shape": (tensor("mean", lambda a: a[:1]), r"mean has the shape \(1,\), not \(2,\)"),
    "too many dimensions": (tensor("mean", lambda a: a[:, None]), r"mean has the shape \(2, 1\)"),
    "mean NaN": (tensor("mean", set_item(0, np.nan)), "mean holds NaN"),
    "mean too large": (tensor("mean", set_item(0, 1e300)), "mean holds 1e\\+300"),
    "covariance NaN": (tensor("covariance", set_item((0, 1), np.nan)), "covariance holds NaN"),
    "covariance skew": (tensor("covariance", set_item((0, 1), 0.1)), "covariance is not symmetric"),
    "variance negative": (
        tensor("covariance", set_item((0, 0), -1.0)),
        "covariance is negative on its diagonal",
    ),
    "covariance indefinite": (
        tensor("covariance", lambda a: a * [[1, 9], [9, 1]]),
        "covariance is indefinite",
    ),
    "scores unsorted": (
        tensor("calibration_scores", lambda a: a[::-1]),
        "calibration_scores is empty or not",
    ),
    "no scores": (tensor("calibration_scores", lambda a: a[:0]), "calibration_scores is empty"),
    "a score NaN": (tensor("calibration_scores", set_item(3, np.nan)), "calibration_scores holds NaN"),
    "header a list": (lambda header, tensors: [1, 2], "header is not a JSON object"),
    "header a number": (lambda header, tensors: "3", "header is not a JSON object"),
    "header no JSON": (lambda header, tensors: "{", "not JSON that can be read"),
    "header empty": (lambda header, tensors: "", "not JSON that can be read"),
    "header NaN": (lambda header, tensors: '{"version": NaN}', "holds NaN, which is not JSON"),
    "header twice": (lambda header, tensors: '{"version": 1, "version": 1}', "holds a key twice"),
    "header deep": (lambda header, tensors: "[" * 10**6, "not JSON that can be read"),
    "header deep and closed": (lambda header, tensors: '{"a":' * 10**5 + "1" + "}" * 10**5, "not JSON"),
    "a number of many digits": (lambda header, tensors: '{"version": ' + "1" * 10**4 + "}", "not JSON"),
}


@pytest.mark.parametrize("name", EDITS)
def test_edited_files(saved, name):
    edit, message = EDITS[name]
    rewrite(saved, edit)
    with pytest.raises(bw.ModelFileError, match=message) as caught:
        bw.load(saved)
    assert str(caught.value).startswith(repr(str(saved)))
    assert len(str(caught.value)) < 1000


def test_estimators_nested_too_deeply(saved):
    def nest(header, tensors):
        for _ in range(20):
            model = header["model"]
            header["model"] = {"class": "GaussianDensity", "params": {"tol": {"$estimator": model}}}

    rewrite(saved, nest)
    with pytest.raises(bw.ModelFileError, match="nested too deeply"):
        bw.load(saved)


def test_a_model_where_a_number_belongs(saved):
    inner = {"class": "GaussianDensity", "params": {}}
    rewrite(saved, put("model", "params", "tol", {"$estimator": inner}))
    with pytest.raises(bw.ModelFileError, match="tol must be a number"):
        bw.load(saved)


def test_an_older_file_may_lack_a_parameter(saved):
    rewrite(saved, drop("model", "params", "max_iter"))
    assert bw.load(saved).max_iter == bw.GaussianDensity().max_iter


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 8,
        b"\x02" + b"\0" * 7 + b"{}",
        b"\xff" * 100,
        (10**8).to_bytes(8, "little") + b"{" * 1000,
        b"a,b\n1,2\n" * 100,
        b"\x80\x04\x95",  # how a pickle begins
        save_tensors({"weight": np.zeros(3)}),
        save_tensors({"weight": np.zeros(3)}, metadata={"format": "pt"}),
    ],
    ids=repr,
)
def test_other_files(tmp_path, content):
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(bw.ModelFileError, match="not a boxwood model file"):
        bw.load(tmp_path / "m")


def test_booleans_that_are_neither(tmp_path):
    content = bytearray(
        save_tensors({"a": np.ones(4, bool)}, metadata={"boxwood": '{"version": 1, "library": "0"}'})
    )
    content[-1] = 7
    (tmp_path / "m").write_bytes(content)
    with (
        TensorFile(tmp_path / "m") as file,
        pytest.raises(bw.ModelFileError, match="booleans that are neither 0 nor 1"),
    ):
        _ = file["a"]


def test_places_that_are_no_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        bw.load(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        bw.load(tmp_path)
    (tmp_path / "dangling").symlink_to(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        bw.load(tmp_path / "dangling")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError, match="loop"):
        bw.load(tmp_path / "loop")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="is not a regular file"):
        bw.load(tmp_path / "pipe")


def load_or_refuse(path: Path) -> bool:
    """Return whether a file is taken; any other exception than `ModelFileError` is a failed test."""
    try:
        model = bw.load(path)
    except bw.ModelFileError:
        return False
    # What is taken must work; its own samples fit whatever columns the file claims.
    assert not np.isnan(model.score_samples(model.sample(3, random_state=0))).any()
    return True


def test_every_cut_is_refused(content, tmp_path):
    for length in range(0, len(content), 7):
        (tmp_path / "m").write_bytes(content[:length])
        assert not load_or_refuse(tmp_path / "m")


def test_flipped_bits(content, tmp_path):
    source = random.Random(0)
    for _ in range(3000):
        mutated = bytearray(content)
        for _ in range(source.choice([1, 1, 1, 2, 8])):
            mutated[source.randrange(len(mutated))] ^= 1 << source.randrange(8)
        (tmp_path / "m").write_bytes(mutated)
        load_or_refuse(tmp_path / "m")


def test_bytes_moved_about(content, tmp_path):
    source = random.Random(1)
    for _ in range(1000):
        i, j = sorted(source.randrange(len(content)) for _ in range(2))
        kind = source.randrange(3)
        middle = [b"", content[i:j] * 2, source.randbytes(source.randrange(40))][kind]
        (tmp_path / "m").write_bytes(content[:i] + middle + content[j:])
        load_or_refuse(tmp_path / "m")


odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just(10**400),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.sampled_from(
        [{"$float": "nan"}, {"$float": "inf"}, {"$tuple": [1]}, {"$tensor": "GaussianDensity.mean"}]
    ),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)


def places(value, path=()):
    """Return the path of everything within a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


@examples(400)
@given(st.data())
def test_headers_with_anything_anywhere(content, tmp_path_factory, data):
    header, tensors = parts(content)
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.sampled_from([*places(header), ("version",)]))
        edit = drop(*where) if data.draw(st.booleans()) else put(*where, copy.deepcopy(data.draw(odd)))
        edit(header, tensors)
    path = tmp_path_factory.getbasetemp() / "headers"
    path.write_bytes(joined(header, tensors))
    load_or_refuse(path)


@examples(300)
@given(st.data())
def test_tensors_of_any_numbers(content, tmp_path_factory, data):
    header, tensors = parts(content)
    name = data.draw(st.sampled_from(sorted(tensors)))
    flat = tensors[name].copy().reshape(-1)
    for _ in range(data.draw(st.integers(1, 4))):
        flat[data.draw(st.integers(0, len(flat) - 1))] = data.draw(st.floats())
    tensors[name] = flat.reshape(tensors[name].shape)
    path = tmp_path_factory.getbasetemp() / "tensors"
    path.write_bytes(joined(header, tensors))
    load_or_refuse(path)


SOURCES = sorted((Path(bw.__file__).parent).rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_module_imports_what_runs_code_from_data(path):
    unsafe = {"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "torch"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not unsafe & {name.split(".")[0] for name in names}
        called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        assert called not in ("eval", "exec", "__import__", "compile")


def test_loading_never_unpickles(saved):
    code = (
        "import sys, pickle, boxwood as bw\n"
        "bw.GaussianDensity\n"  # scikit-learn imports pickle itself: only a call counts
        "def refuse(*args, **kwargs): raise SystemExit('unpickled')\n"
        "pickle.load = pickle.loads = pickle.Unpickler = refuse\n"
        "import numpy; numpy.load = refuse\n"
        "bw.load(sys.argv[1]).score([[0.0, 0.0]])\n"
    )
    subprocess.run([sys.executable, "-c", code, str(saved)], check=True, timeout=60)
