"""The classifier."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from ._base import Base, HeadMixin, documented
from ._data import set_classes, set_groups, set_targets, set_weights
from ._frames import append_rows
from ._importance import log_losses
from ._labels import class_numbers
from ._library import Handle
from ._model import Array, Model
from ._parameters import CNMClassifierParameters
from ._rows import check_one_target, one_pair


@documented
class CNMClassifier(CNMClassifierParameters, HeadMixin, ClassifierMixin, Base):
    """Classifier with a compact nonlinear map, learned together with a linear model on top of it.

    scores(x) = Wᵀ Z(x) + c with Z(x) = √(2/k) cos(Θᵀ x + b).
    Parameters are the options of ``cnm train``; "auto" leaves a choice to the library.
    ``effort="quick"`` trains at once, without a search for hyperparameters.

    {parameters}

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : array of str, where X was a DataFrame
    theta_, phase_, offset_ : arrays of the map
    head_, intercept_ : arrays of the linear model on its features
    feature_importances_ : array of shape (n_features_in_,)
        Permutation importance of each column on training rows
    history_ : dict of arrays
        phase, done, total, loss and validation: 20 points or more of each phase, at steps that do
        not depend on the clock; validation is NaN where the validation rows were not scored
    understood_ : list of str
        What was understood of the rows, as the command says it: shown with ``verbose=True``
    n_iter_ : int
        Steps that were made: fewer than ``history_["total"]`` after early stopping
    best_iteration_ : int or None
        The step whose parameters are kept, the best on validation rows

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cnm import CNMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CNMClassifier(n_components=16, effort="quick", epochs=60).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    >>> model.predict_proba(X[:1]).shape
    (1, 3)
    >>> model.transform(X).shape
    (150, 16)
    """

    _fixed: ClassVar[dict[str, Any]] = {"task": "classify", "class-weight": None}
    classes_: Array

    # ---- Training ----

    def _labelled(self, X: Any, codes: Array, weights: Array | None = None, groups: Array | None = None) -> Handle:
        rows = self._rows(X)
        if self.classes_.dtype.kind in "iuf" and np.all(np.abs(self.classes_) < 2.0**53):
            set_targets(rows, self.classes_[codes])
        else:
            set_classes(rows, [str(value) for value in self.classes_], codes)
        set_weights(rows, weights)
        set_groups(rows, groups)
        return rows

    def _weigh(self, X: Any, codes: Array, sample_weight: Any) -> Array | None:
        """A row's weight times its class's; None where all are 1."""
        if sample_weight is None and self.class_weight is None:
            return None
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        present = np.unique(codes)
        by_class = np.ones(len(self.classes_))
        by_class[present] = compute_class_weight(
            self.class_weight, classes=self.classes_[present], y=self.classes_[codes]
        )
        return np.asarray(weights * by_class[codes])

    def _with_all_classes(
        self, X: Any, codes: Array, weights: Array | None, groups: Array | None
    ) -> tuple[Any, Array, Array | None, Array | None]:
        """Appends a copy of the first row, of weight 0, for each class that has no row."""
        absent = np.setdiff1d(np.arange(len(self.classes_)), codes)
        if len(absent) == 0:
            return X, codes, weights, groups
        first = np.zeros(len(absent), dtype=int)
        X = append_rows(X, X[first])
        weights = np.ones(len(codes)) if weights is None else weights
        groups = None if groups is None else np.concatenate([groups, groups[first]])
        return X, np.concatenate([codes, absent]), np.concatenate([weights, np.zeros(len(absent))]), groups

    def _codes_of(self, y: Array) -> Array:
        """Returns the positions of labels among the classes."""
        codes: Array = np.searchsorted(self.classes_, y)
        if np.any(codes >= len(self.classes_)) or np.any(self.classes_[codes % len(self.classes_)] != y):
            raise ValueError(f"y holds labels that are not among the classes {self.classes_}")
        return codes

    def _fit_codes(
        self, X: Any, codes: Array, sample_weight: Any, groups: Any, start: Model | None, eval_set: Any = None
    ) -> None:
        weights, groups = self._weigh(X, codes, sample_weight), self._check_groups(X, groups)
        if weights is not None and len(np.unique(codes[weights > 0])) < 2 and start is None:
            raise ValueError("rows of at least two classes with weights above 0 are needed; here is only 1 class")
        settings = self._settings()
        sample = (X, codes, weights)
        if start is None:
            X, codes, weights, groups = self._with_all_classes(X, codes, weights, groups)
        if self.class_weight is not None:  # the rows' weights have it; no decision thresholds then
            settings["class-weight"] = "none"
        self._keep_sample(*sample)
        validation = None
        if eval_set is not None:
            rows, labels = self._check_labelled(*one_pair(eval_set), reset=False)
            validation = self._labelled(rows, self._codes_of(labels))
        self._learn(self._labelled(X, codes, weights, groups), settings, start, validation)

    def _losses(self, X: Any, target: Array) -> Array:
        return log_losses(self._probabilities(X), target)

    def _adopt(self, model: Model) -> None:
        self._class_index = class_numbers(model.labels, self.classes_)
        super()._adopt(model)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, eval_set: Any = None) -> CNMClassifier:
        """Learns the map and the linear model.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame of shape (n_samples, n_features)
        y : array of shape (n_samples,), of numbers or texts
        sample_weight : array of shape (n_samples,), optional
        groups : array of shape (n_samples,), optional
            Group of each row (a person, a day), as a number or text. No group is split between
            training and validation rows: in ``validation``, in the search for hyperparameters and
            in the calibration of probabilities.
        eval_set : (X, y), optional
            Rows that only validate, instead of a share of the rows (``validation``): the parameters
            that are best on them are kept, ``patience`` counts on them, and ``history_`` has their
            scores.

        Examples
        --------
        Six rows of each of fifty groups; hyperparameters are validated on other groups.

        >>> import numpy as np
        >>> from cnm import CNMClassifier
        >>> random = np.random.RandomState(0)
        >>> centres, side = random.normal(size=(50, 2)), np.arange(50) % 2
        >>> groups = np.repeat(np.arange(50), 6)
        >>> X = (centres + 2 * side[:, None])[groups] + 0.1 * random.normal(size=(300, 2))
        >>> model = CNMClassifier(n_components=8, epochs=20).fit(X, side[groups], groups=groups)
        >>> model.predict([[-1.0, -1.0], [3.0, 3.0]])
        array([0, 1])
        """
        start = self._model if self.warm_start and hasattr(self, "_model") else None
        X, y = self._check_labelled(X, y, reset=start is None)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"rows of at least two classes are needed; here is only 1 class: {classes[0]!r}")
        if start is not None and not np.array_equal(classes, self.classes_):
            raise ValueError(
                f"warm_start goes on with the classes of the earlier fit, {self.classes_}; y has {classes}"
            )
        self.classes_ = classes
        self._fit_codes(X, codes, sample_weight, groups, start, eval_set)
        return self

    def _check_labelled(self, X: Any, y: Any, *, reset: bool) -> tuple[Any, Array]:
        check_one_target(y, type(self).__name__, "MultiOutputClassifier")
        X, y = self._check_both(X, y, reset=reset, numeric=False)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        return X, y

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None, groups: Any = None
    ) -> CNMClassifier:
        """Continues the training with new rows; the first call is a whole training.

        Parameters
        ----------
        X, y, sample_weight, groups : as for fit
        classes : array, optional
            All classes that later calls have; needed in the first call if y lacks some.
        """
        first = not hasattr(self, "_model")
        X, y = self._check_labelled(X, y, reset=first)
        if first:
            self.classes_ = np.unique(y if classes is None else classes)
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes are {np.unique(classes)}, but those of the first call were {self.classes_}")
        codes = self._codes_of(y)
        if len(self.classes_) < 2:
            raise ValueError(f"at least two classes are needed; here is only 1 class: {self.classes_[0]!r}")
        self._fit_codes(X, codes, sample_weight, groups, None if first else self._model)
        return self

    # ---- Prediction ----

    def decision_function(self, X: Any) -> Array:
        """Returns scores, (n_samples, n_classes); (n_samples,) of the second of two classes."""
        check_is_fitted(self)
        scores = self._model.scores(self._check_rows(X, reset=False), self._threads)
        if scores.shape[1] == 1:
            return scores[:, 0] if self._class_index[1] == 1 else -scores[:, 0]
        out = np.empty_like(scores)
        out[:, self._class_index] = scores
        return out

    def predict(self, X: Any) -> Array:
        """Returns the class of each row, (n_samples,)."""
        check_is_fitted(self)
        labels = self._model.classes(self._check_rows(X, reset=False), self._threads)
        return np.asarray(self.classes_[self._class_index[labels]])

    def predict_proba(self, X: Any) -> Array:
        """Returns the probability of each class, (n_samples, n_classes), in the order of classes_.

        They are the softmax of the scores; for margin losses (hinge, squared-hinge, crammer-singer)
        with a temperature that was calibrated in training. With metric="balanced" or "f1" predict
        uses decision thresholds: its class need not be the most probable one.
        """
        check_is_fitted(self)
        return self._probabilities(self._check_rows(X, reset=False))

    def _probabilities(self, X: Any) -> Array:
        """Returns the probabilities of checked rows."""
        probabilities = self._model.probabilities(X, self._threads)
        out = np.empty_like(probabilities)
        out[:, self._class_index] = probabilities
        return out

    def predict_log_proba(self, X: Any) -> Array:
        """Returns the logarithm of predict_proba."""
        return np.asarray(np.log(self.predict_proba(X)))
