"""Fits on a Dask cluster, from the command line."""

from __future__ import annotations

from glob import glob
from pathlib import Path

import typer

from boxwood.cli.fitting import new_model

__all__ = ["fit_on_cluster"]


def fit_on_cluster(
    address: str,
    pattern: str,
    target: str | None,
    output: Path | None,
    seed: int,
    boosted: bool,
    memory_limit: str | None = None,
) -> None:
    """Fit a model to the files of a pattern, which the workers of a cluster read, and save it.

    The files must be where workers and this process see them under the same path; each is a partition.
    """
    if output is None:
        raise ValueError("--dask fits a model and saves it: say where, with -o MODEL.")
    files = sorted(glob(pattern, recursive=True))
    if not files:
        raise FileNotFoundError(f"no file matches {pattern!r}.")
    try:
        from distributed import Client

        import dask
    except ImportError:
        raise ValueError('--dask needs Dask: pip install "boxwood[dask]".') from None
    from boxwood.dask import fit

    tables = [dask.delayed(str(Path(file).absolute())) for file in files]
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise ValueError(f"no Dask scheduler answers at {address!r}: {error}") from None
    with client:
        others = {} if target is None else {"target": target}
        model = fit(new_model(seed, 1, boosted), tables, memory_limit=memory_limit, client=client, **others)
    model.save(output)
    typer.echo(f"fitted to {len(files)} file{'s' if len(files) > 1 else ''} on {address}")
    typer.echo(f"model: {output}, {output.stat().st_size:,} bytes")
