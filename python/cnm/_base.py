"""Base of all estimators: turns parameters into options, checks rows, owns the model."""

from __future__ import annotations

import inspect
import numbers
import os
import sys
from typing import Any, ClassVar, Literal, TypeVar

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ._describe import chosen, described
from ._export import export
from ._importance import Sample, importances, take_sample
from ._library import Handle
from ._model import Array, Model
from ._parameters import COUNTS, DEFAULTS, OPTIONS
from ._rows import RowChecks
from ._training import train

Self = TypeVar("Self", bound="Base")


def _thread_count(n_jobs: int | None) -> int | None:
    """Returns the number of threads; None leaves it to the library (all processors).

    joblib limits its workers by OMP_NUM_THREADS, which holds here too."""
    if n_jobs is not None:
        return int(joblib.effective_n_jobs(n_jobs))
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return int(limit) if limit.isdigit() and int(limit) > 0 else None


def _given(name: str, value: Any) -> Any:
    """Returns a parameter's value; None where it is the library's default. Counts must be whole numbers."""
    if name in COUNTS and not isinstance(value, (numbers.Integral, str, type(None))):
        raise ValueError(f"{name} cannot be {value!r}: expected a whole number of type int")
    default = DEFAULTS.get(name)
    return None if type(value) is type(default) and value == default else value


def _seed(random_state: Any) -> int | None:
    if random_state is None or isinstance(random_state, numbers.Integral):
        return None if random_state is None else int(random_state)
    if isinstance(random_state, np.random.Generator):
        raise ValueError(
            "random_state cannot be a numpy Generator: expected a whole number, a numpy RandomState or None; "
            "int(generator.integers(2**31)) draws such a number"
        )
    return int(check_random_state(random_state).randint(2**31 - 1))


def documented(cls: type[Any]) -> type[Any]:
    """Puts the constructor's docstring into the class's docstring, where {parameters} stands."""
    parameters = inspect.cleandoc(cls.__init__.__doc__ or "")
    cls.__doc__ = inspect.cleandoc(cls.__doc__ or "").replace("{parameters}", parameters)
    return cls


class Base(RowChecks, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A model of the library behind scikit-learn's interface."""

    _fixed: ClassVar[dict[str, Any]] = {}  # options that the class sets
    _parameters: ClassVar[tuple[str, ...]]
    _model: Model

    # ---- Parameters ----

    @classmethod
    def _parameter_names(cls) -> tuple[str, ...]:
        if "_parameters" not in cls.__dict__:  # inspecting a signature is slow
            cls._parameters = tuple(cls._get_param_names())
        return cls._parameters

    def _settings(self) -> dict[str, Any]:
        """Returns the options of a training by name."""
        values = {
            OPTIONS[name]: _given(name, getattr(self, name)) for name in self._parameter_names() if name in OPTIONS
        }
        values["seed"] = _seed(values.get("seed"))
        values["threads"] = _thread_count(values.get("threads"))
        return {**values, **self._fixed}

    @property
    def _threads(self) -> int:
        return _thread_count(getattr(self, "n_jobs", None)) or 0

    # ---- The model ----

    def _learn(
        self, rows: Handle, settings: dict[str, Any], start: Model | None = None, validation: Handle | None = None
    ) -> None:
        """Trains a model and adopts it; after Ctrl-C adopts the model so far and raises."""
        verbose = bool(getattr(self, "verbose", False))
        if start is not None:  # which may have seen any row
            settings = {**settings, "estimate": "no"}
        model, understood, interrupted = train(rows, settings, start, verbose, validation)
        self._adopt(model)
        if verbose:
            print(chosen(model), file=sys.stderr)
        self.history_ = model.history()
        self.understood_ = understood
        if interrupted:
            raise KeyboardInterrupt

    def _adopt(self, model: Model) -> None:
        """Makes the model that of this estimator, which is fitted then."""
        self._model = model

    def _described(self, *keys: str) -> int | None:
        """Returns the first of these entries of the model's description as a whole number, or None."""
        if not hasattr(self, "_model"):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        description = self._model.description()
        return next((int(float(description[key])) for key in keys if key in description), None)

    @property
    def n_iter_(self) -> int:
        """Steps of the training that were made; iterations where the head was solved for."""
        made = self._described("steps", "head_iterations")
        if made is None:  # a map without a head
            made = int(self.history_["done"][-1]) if len(self.history_.get("done", ())) > 0 else 1
        return made

    @property
    def best_iteration_(self) -> int | None:
        """The step with the best score on validation rows, whose parameters are kept; None without such rows."""
        return self._described("best_step")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = getattr(self, "missing", None) != "error"
        tags.input_tags.string = tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags

    def _array(self, name: str) -> Array | None:
        if not hasattr(self, "_model"):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet: it has no {name}")
        return self._model.array(name)

    @property
    def input_names_(self) -> Array:
        """Names of the map's inputs: the columns, and what is made of them (COLUMN=WORD, COLUMN=missing)."""
        if not hasattr(self, "_model"):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet: it has no input_names_")
        return np.array(self._model.inputs, dtype=object)

    @property
    def theta_(self) -> Array:
        """The matrix of the map, (inputs, n_components), whatever the projection."""
        thetas = self.thetas_
        if len(thetas) > 1:
            raise AttributeError(f"a map of {len(thetas)} layers has no theta_: thetas_ has one for each layer")
        return thetas[0]

    @property
    def thetas_(self) -> list[Array]:
        """The matrices of the map's layers, from the first to the last."""
        first = self._array("theta")
        count = self._model.description().get("layers", "").count(",") + 1
        thetas = [first, *(self._array(f"layer{i}.theta") for i in range(2, count + 1))]
        return [theta for theta in thetas if theta is not None]

    @property
    def phase_(self) -> Array:
        """The phases of the map, (n_components,); zeros where it has none."""
        phase = self._array("phase")
        return np.zeros(self._model.features) if phase is None else phase[0]

    @property
    def offset_(self) -> Array:
        """The means that are subtracted from the inputs before the map, (inputs,)."""
        offset = self._array("offset")
        return np.zeros(len(self._model.inputs)) if offset is None else offset[0]

    @property
    def _n_features_out(self) -> int:
        return self._model.features

    def transform(self, X: Any) -> Any:
        """Returns the map's features of X.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        Z : float32 array of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        return self._model.transform(self._check_rows(X, reset=False), self._threads)

    def describe(self) -> dict[str, Any]:
        """Returns the model's description: that of ``cnm inspect``, with numbers and lists as such."""
        check_is_fitted(self)
        return described(self._model)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a .cnm file, which :func:`cnm.load` and the command read."""
        check_is_fitted(self)
        self._model.save(path)

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        dtype: Literal["f32", "f16", "i8"] | None = None,
        name: str | None = None,
        data: tuple[Any, Any] | None = None,
    ) -> dict[str, Any]:
        """Writes what predicts without this package: plain C (path ends in .c) or ONNX (.onnx).

        Parameters
        ----------
        path : str or path
            C gets a header beside it, path with .h
        dtype : {"f32", "f16", "i8"}, default f32
            Type of the tables of C
        name : str, optional
            What the names in C begin with; default: the name of the file
        data : (X, y), optional
            Labelled rows to compare the model with what is exported

        Returns
        -------
        facts : dict
            file and dtype; of C header, and flash and stack in bytes; with data accuracy and
            accuracy_exported, or r2 and r2_exported
        """
        check_is_fitted(self)
        return export(self, path, dtype, name, data)


class HeadMixin:
    """The linear model on the features that transform returns; what needs predictions."""

    _array: Any
    _sample: Sample | None

    @property
    def head_(self) -> Array:
        """Weights of the map's features, (outputs, n_components).

        Scores are transform(X) @ head_.T + intercept_. They belong to features of the map, not to
        columns: feature_importances_ is about columns."""
        head: Array = self._array("head")
        return np.asarray(head.T)

    @property
    def intercept_(self) -> Array:
        """Intercepts of the scores, (outputs,)."""
        bias: Array = self._array("bias")
        return np.asarray(bias[0])

    def _losses(self, X: Any, target: Array) -> Array:
        """Returns the loss of each row."""
        raise NotImplementedError

    @property
    def feature_importances_(self) -> Array:
        """Permutation importance of each column (Breiman 2001), (n_features_in_,), adding up to 1.

        How much the loss (logarithmic for classes, squared for regression) on at most 2,000
        training rows grows when the cells of the column are shuffled; computed when it is first
        asked for, the same every time. The sample is kept in memory, not in files and pickles:
        there sklearn.inspection.permutation_importance does the same with rows of your own."""
        if not hasattr(self, "_importances"):
            sample = getattr(self, "_sample", None)
            if sample is None:
                raise AttributeError(
                    f"this {type(self).__name__} has no training rows to compute feature_importances_ from: fit keeps "
                    "some, files and pickles do not; sklearn.inspection.permutation_importance takes any rows"
                )
            self._importances = importances(sample, lambda X: self._losses(X, sample.target))
        return self._importances

    def _keep_sample(self, X: Any, target: Array, weights: Array | None) -> None:
        """Keeps rows for feature_importances_."""
        self.__dict__.pop("_importances", None)
        self._sample = take_sample(X, target, weights)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()  # type: ignore[misc]
        return {name: value for name, value in state.items() if name != "_sample"}
