"""What other libraries ask of fitted trees and forests: their form of the model, and Shapley values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood import _core
from boxwood.binning.thresholds import rows_of
from boxwood.estimator import TableEstimator
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["ExchangedTrees"]


class ExchangedTrees(TableEstimator):
    """A tree or forest that others can read."""

    trees_: SupervisedTrees

    def to_onnx(self) -> Any:
        """Return the model in ONNX's form, with its sets of categories and its missing values.

        It needs the package ``onnx`` (the extra ``boxwood[onnx]``) and runs in any runtime that has version
        5 of ONNX's operators for machine learning, such as onnxruntime.

        Returns
        -------
        onnx.ModelProto
            Its inputs are the columns by name, each of shape (n_samples, 1): strings where categories are
            strings (an empty one is missing), else double-precision numbers (NaN is missing; booleans are 0
            and 1, datetimes microseconds since 1970 in UTC). Where the model was fitted on an array of
            numbers, one input ``X`` has all columns. A classifier's outputs are ``label`` and
            ``probabilities``, a regressor's is ``variable``; where a column has such a name, the output's
            ends with an underscore.

        Raises
        ------
        ValueError
            Where the model has oblique splits, a column without a name, or categories of several types.
        """
        from boxwood.tree.supervised.onnx_model import onnx_model

        check_is_fitted(self)
        return onnx_model(self.trees_, self.schema_, self._class_labels())

    def to_treelite(self) -> Any:
        """Return the model in treelite's form, with its sets of categories and its missing values.

        It needs the package ``treelite``. Its rows are numbers:
        ``boxwood.read_columns(X).matched(model.schema_).matrix()`` has the codes of categories, and NaN for
        missing values.

        Returns
        -------
        treelite.Model

        Raises
        ------
        ValueError
            Where the model has oblique splits.
        """
        from boxwood.tree.supervised.treelite_model import treelite_model

        check_is_fitted(self)
        return treelite_model(self.trees_, self._class_labels() is not None)

    def shap_values(self, X: Any) -> NDArray[np.float64]:
        """Return the exact Shapley values of the columns for what is predicted of each row.

        Those of SHAP's ``TreeExplainer(model, feature_perturbation="tree_path_dependent")``: where a column
        is not known, a split on it sends a row both ways, by the weights of the fitted rows. Categories and
        missing values count like all others. :func:`boxwood.plugs.shap.explanation` gives them to SHAP's
        plots.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_features) or (n_samples, n_features, n_outputs)
            The last for classes (in the order of ``classes_``) and for several targets. A row's values and
            `expected_value_` add up to ``predict_proba`` or ``predict``.

        Examples
        --------
        >>> import boxwood as bw
        >>> table = {"size": [1.0, 2.0, 3.0, 4.0], "hue": ["red", "blue", "blue", "red"]}
        >>> tree = bw.DecisionTreeRegressor().fit(table, [1.0, 5.0, 5.0, 1.0])
        >>> tree.expected_value_, tree.shap_values(table)
        (3.0, array([[ 0., -2.], [ 0.,  2.], [ 0.,  2.], [ 0., -2.]]))
        """
        check_is_fitted(self)
        shapley = self._shapley()
        rows = rows_of(self._read(X))
        values = shapley.values(rows, self._n_threads())
        values = values.reshape(len(rows), len(self.schema_), -1)
        return values if self._tells_several() else values[:, :, 0]

    @property
    def expected_value_(self) -> float | NDArray[np.float64]:
        """What is predicted where no column is known: of each class, of each target, or of the only one."""
        check_is_fitted(self)
        expected = self._shapley().expected()
        return expected if self._tells_several() else float(expected[0])

    def _tells_several(self) -> bool:
        return self._class_labels() is not None or self.trees_.value.shape[1] > 1

    def _shapley(self) -> _core.TreeShapley:
        trees = self.trees_
        if len(trees.directions):
            raise ValueError(
                "shap_values: the model has oblique splits, which belong to several columns at once. Fit "
                "with oblique=0 to ask for Shapley values."
            )
        return trees.shapley

    def _class_labels(self) -> NDArray[Any] | None:
        raise NotImplementedError

    def _n_threads(self) -> int:
        raise NotImplementedError
