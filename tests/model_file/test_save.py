"""Saving: the old or the new file is there, whole, and nothing else."""

from __future__ import annotations

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from crafting import a_model, parts

import boxwood as bw
from boxwood.model_file import FORMAT_VERSION, container


@pytest.fixture
def model():
    return a_model()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_file_is_as_the_format_says(model, tmp_path):
    model.save(tmp_path / "m.boxwood")
    header, tensors = parts((tmp_path / "m.boxwood").read_bytes())
    assert header["version"] == FORMAT_VERSION
    assert header["library"] == bw.__version__
    assert header["model"]["class"] == "GaussianDensity"
    assert header["model"]["params"] == model.get_params()
    assert header["model"]["state"]["mean"] == {"$tensor": "GaussianDensity.mean"}
    np.testing.assert_array_equal(tensors["GaussianDensity.mean"], model.mean_)
    assert names(tmp_path) == ["m.boxwood"]


@pytest.mark.parametrize("name", ["m", "ü" * 100, "with space.boxwood", "-", "." * 3 + "dots"])
def test_names_of_every_kind(model, tmp_path, name):
    model.save(str(tmp_path / name))
    assert bw.load(str(tmp_path / name)).offset_ == model.offset_
    model.save(os.fsencode(tmp_path / name))
    assert bw.load(os.fsencode(tmp_path / name)).offset_ == model.offset_
    assert len(names(tmp_path)) == 1


def test_the_old_file_is_replaced_and_keeps_its_mode(model, tmp_path):
    path = tmp_path / "m"
    path.write_bytes(b"old")
    path.chmod(0o600)
    model.save(path)
    assert bw.load(path).offset_ == model.offset_
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_stays_a_link(model, tmp_path):
    (tmp_path / "folder").mkdir()
    for target in (tmp_path / "folder" / "m", tmp_path / "folder" / "not yet"):
        link = tmp_path / f"link to {target.name}"
        link.symlink_to(target)
        model.save(link)
        assert link.is_symlink()
        assert bw.load(link).offset_ == bw.load(target).offset_ == model.offset_
    assert names(tmp_path / "folder") == ["m", "not yet"]


def test_places_that_cannot_be_written(model, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    for place in (
        tmp_path / "folder",
        tmp_path / "no" / "m",
        tmp_path / "file" / "m",
        tmp_path / ("x" * 300),
    ):
        with pytest.raises(OSError, match=r"Errno"):
            model.save(place)
    assert names(tmp_path) == ["file", "folder"]
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is read-only to root")
def test_a_read_only_folder(model, tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(PermissionError):
            model.save(tmp_path / "m")
    finally:
        tmp_path.chmod(0o700)
    assert names(tmp_path) == []


class FullDisk:
    """A file that takes some bytes, then none."""

    def __init__(self, *args):
        self.file = open(*args)  # noqa: SIM115 (closed on exit)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.file.close()

    def write(self, content):
        self.file.write(content[: len(content) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")


def fail(code):
    def failing(*args, **kwargs):
        raise OSError(code, os.strerror(code))

    return failing


@pytest.mark.parametrize("broken", ["open", "write", "fsync", "chmod", "replace", "interrupt", "unlink too"])
def test_disk_errors_leave_the_old_file(model, tmp_path, monkeypatch, broken):
    path = tmp_path / "m"
    model.save(path)
    old = path.read_bytes()
    error: type[BaseException] = OSError
    with monkeypatch.context() as patch:
        if broken == "open":
            patch.setattr(container, "open", fail(errno.EROFS), raising=False)
        elif broken == "write":
            patch.setattr(container, "open", FullDisk, raising=False)
        elif broken == "fsync":
            patch.setattr(os, "fsync", fail(errno.EIO))
        elif broken == "chmod":
            patch.setattr(os, "chmod", fail(errno.EPERM))
        elif broken == "interrupt":
            error = KeyboardInterrupt

            def interrupt(*args):
                raise KeyboardInterrupt

            patch.setattr(os, "replace", interrupt)
        else:
            patch.setattr(os, "replace", fail(errno.EIO))
        if broken == "unlink too":
            patch.setattr(os, "unlink", fail(errno.EPERM))
        with pytest.raises(error):
            bw.GaussianDensity().fit([[1.0], [2.0]]).save(path)
    assert path.read_bytes() == old
    left = [name for name in names(tmp_path) if name != "m"]
    assert len(left) == (broken == "unlink too")
    assert all(name.endswith(".part") for name in left)


def test_a_folder_that_cannot_be_flushed_is_no_error(model, tmp_path, monkeypatch):
    flush = os.fsync

    def files_only(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        flush(handle)

    monkeypatch.setattr(os, "fsync", files_only)
    model.save(tmp_path / "m")
    assert bw.load(tmp_path / "m").offset_ == model.offset_


def test_the_file_is_flushed_before_it_is_renamed(model, tmp_path, monkeypatch):
    order = []
    flush, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (order.append("flush"), flush(handle)))
    monkeypatch.setattr(os, "replace", lambda *paths: (order.append("rename"), replace(*paths)))
    model.save(tmp_path / "m")
    assert order == ["flush", "rename", "flush"]


def test_parameters_that_a_file_cannot_keep(model, tmp_path):
    (tmp_path / "m").write_bytes(b"old")
    for value, message in ((object(), "params.tol holds a object"), ("tiny", "tol must be a number")):
        model.tol = value
        with pytest.raises(bw.ModelFileError, match=rf"GaussianDensity.*{message}"):
            model.save(tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == b"old"


def test_a_subclass_of_somebody_else_s_is_refused(tmp_path):
    class Mine(bw.GaussianDensity):
        pass

    impostor = type("GaussianDensity", (bw.GaussianDensity,), {})
    for cls in (Mine, impostor):
        with pytest.raises(bw.ModelFileError, match=r"is not a class of boxwood's"):
            cls().fit([[1.0], [2.0]]).save(tmp_path / "m")
    assert names(tmp_path) == []


def test_what_was_fitted_is_saved_not_what_was_set_since(model, tmp_path):
    expected = model.score_samples([[0.5, 0.5]])
    model.set_params(covariance_type="spherical", shrinkage=None, false_alarm_rate=0.4)
    model.save(tmp_path / "m")
    again = bw.load(tmp_path / "m")
    assert again.get_params() == model.get_params()
    assert again.offset_ == model.offset_
    np.testing.assert_array_equal(again.score_samples([[0.5, 0.5]]), expected)


def test_threads_may_save_to_one_path(model, tmp_path):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(model.save, [tmp_path / "m"] * 40))
    assert bw.load(tmp_path / "m").offset_ == model.offset_
    assert names(tmp_path) == ["m"]


@pytest.mark.parametrize("path", [0, 3, None, 1.5])
def test_a_path_is_no_number(model, path):
    with pytest.raises(TypeError):
        model.save(path)
    with pytest.raises(TypeError):
        bw.load(path)
