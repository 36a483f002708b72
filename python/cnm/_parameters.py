"""Constructors of the estimators, written by scripts/reference from the table of options."""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np

# CNM_VERSION of the library that has this table.
VERSION_NUMBER = 100

# The option of each parameter.
OPTIONS = {
    "method": "method",
    "n_components": "features",
    "projection": "projection",
    "layers": "layers",
    "init": "init",
    "phase": "phase",
    "kernel": "kernel",
    "gamma": "gamma",
    "activation": "activation",
    "dtype": "dtype",
    "recipe": "recipe",
    "iterations": "iterations",
    "head_steps": "head-steps",
    "map_steps": "map-steps",
    "loss": "loss",
    "quantile": "quantile",
    "alpha": "lambda",
    "theta_penalty": "theta-penalty",
    "epochs": "epochs",
    "batch": "batch",
    "difference_noise": "difference-noise",
    "translate": "translate",
    "noise": "noise",
    "decay": "decay",
    "map_rate": "map-rate",
    "distill": "distill",
    "estimate": "estimate",
    "effort": "effort",
    "metric": "metric",
    "teacher": "teacher",
    "skip": "skip",
    "prune": "prune",
    "validation": "validation",
    "patience": "patience",
    "time_limit": "time-limit",
    "class_weight": "class-weight",
    "checkpoint": "checkpoint",
    "checkpoint_every": "checkpoint-every",
    "resume": "resume",
    "scale": "scale",
    "missing": "missing",
    "random_state": "seed",
    "n_jobs": "threads",
}

# The library's defaults, where they are not None.
DEFAULTS = {
    "method": "cnm",
    "n_components": "auto",
    "projection": "dense",
    "init": "auto",
    "phase": "uniform",
    "kernel": "gaussian",
    "gamma": "auto",
    "activation": "cos",
    "dtype": "auto",
    "recipe": "joint",
    "iterations": "auto",
    "head_steps": "auto",
    "map_steps": "auto",
    "loss": "auto",
    "quantile": "auto",
    "alpha": "auto",
    "epochs": "auto",
    "batch": "auto",
    "difference_noise": "auto",
    "translate": "auto",
    "noise": "auto",
    "decay": "auto",
    "map_rate": "auto",
    "distill": "auto",
    "estimate": "auto",
    "effort": "normal",
    "metric": "auto",
    "prune": 0.0,
    "validation": 0.0,
    "patience": "auto",
    "checkpoint_every": "auto",
    "resume": False,
    "scale": "auto",
    "missing": "auto",
}

# Parameters that are whole numbers.
COUNTS = {
    "n_components",
    "iterations",
    "head_steps",
    "map_steps",
    "epochs",
    "batch",
    "patience",
}


class CNMClassifierParameters:
    """Parameters of :class:`CNMClassifier`."""

    def __init__(
        self,
        *,
        method: Literal["cnm", "rff", "kernel-approximation", "linear"] = "cnm",
        n_components: int | Literal["auto"] = "auto",
        projection: Literal["dense", "circulant", "circulant-diagonal"] = "dense",
        layers: str | tuple[int | str, ...] | None = None,
        init: Literal["auto", "random", "orthogonal"] = "auto",
        phase: Literal["uniform", "none"] = "uniform",
        kernel: Literal["gaussian", "laplacian", "cauchy"] = "gaussian",
        gamma: float | str = "auto",
        activation: Literal["cos", "sigmoid", "relu"] = "cos",
        dtype: Literal["auto", "f32", "f16"] = "auto",
        recipe: Literal["joint", "alternating"] = "joint",
        iterations: int | Literal["auto"] = "auto",
        head_steps: int | Literal["auto"] = "auto",
        map_steps: int | Literal["auto"] = "auto",
        loss: Literal["auto", "hinge", "squared-hinge", "logistic", "softmax", "crammer-singer"] = "auto",
        alpha: float | Literal["auto"] = "auto",
        theta_penalty: str | None = None,
        epochs: int | Literal["auto"] = "auto",
        batch: int | Literal["auto"] = "auto",
        difference_noise: float | Literal["auto"] = "auto",
        translate: float | Literal["auto"] = "auto",
        noise: float | Literal["auto"] = "auto",
        decay: float | Literal["auto"] = "auto",
        map_rate: float | Literal["auto"] = "auto",
        distill: Literal["auto", "yes", "no"] = "auto",
        estimate: Literal["auto", "yes", "no"] = "auto",
        effort: Literal["quick", "normal", "thorough"] = "normal",
        metric: Literal["auto", "accuracy", "balanced", "auc", "f1", "logloss"] = "auto",
        teacher: str | os.PathLike[str] | None = None,
        skip: str | None = None,
        prune: float = 0.0,
        validation: float = 0.0,
        patience: int | Literal["auto"] = "auto",
        time_limit: float | None = None,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float | Literal["auto"] = "auto",
        resume: bool = False,
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] = "auto",
        missing: Literal["auto", "mean", "error"] = "auto",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None:
        """
        Parameters
        ----------
        method : {"cnm", "rff", "kernel-approximation", "linear"}, default "cnm"
            The map: cnm learns it with the task, rff draws random Fourier features,
            kernel-approximation fits features to the kernel, linear has no map.
        n_components : int or "auto", default "auto"
            Number of features k of the map; auto = 128, or a number from 64 to 512 that
            ``method="cnm"`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        projection : {"dense", "circulant", "circulant-diagonal"}, default "dense"
            dense learns any theta; circulant takes O(k log d) time and O(k) memory instead of O(k
            d); circulant-diagonal also learns a diagonal.
        layers : str or tuple, default None
            Layers of the map, of which each takes the features of the one before: 128,64 or
            circulant-diagonal:784,dense:64; in place of ``projection`` and ``n_components``, which
            are one layer. (128, 64) is 128,64.
        init : {"auto", "random", "orthogonal"}, default "auto"
            Draw the columns of theta independently, or in orthogonal blocks (Gaussian kernel only);
            auto = random, but orthogonal where a joint training keeps the random map.
        phase : {"uniform", "none"}, default "uniform"
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default "gaussian"
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default "auto"
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default "cos"
            The function behind the projection.
        dtype : {"auto", "f32", "f16"}, default "auto"
            Floating-point type of the model's weights; auto = f16 where at most 1 in 1000
            predictions for training rows changes.
        recipe : {"joint", "alternating"}, default "joint"
            How ``method="cnm"`` trains: map and head together, or in turn as in the paper's
            Algorithms 1-3 (hinge loss).
        iterations : int or "auto", default "auto"
            Iterations of ``recipe="alternating"``; auto = 200. Values: auto, 1 to 1e9.
        head_steps : int or "auto", default "auto"
            Steps of the head in an iteration of ``recipe="alternating"``; auto = 100. Values: auto,
            1 to 1e9.
        map_steps : int or "auto", default "auto"
            Steps of each layer of the map: in an iteration of ``recipe="alternating"``, auto = 100;
            of ``method="kernel-approximation"``, auto = 1000. Values: auto, 1 to 1e9.
        loss : str, default "auto"
            auto = softmax for ``method="cnm"`` ``recipe="joint"``, otherwise hinge; for regression
            squared, or huber where targets have outliers that other rows do not predict. Values:
            auto, hinge, squared-hinge, logistic, softmax, crammer-singer.
        alpha : float or "auto", default "auto"
            Weight of the L2 penalty on the head; auto = 0, 0.001, or what validation rows prefer,
            for ``recipe="joint"``; otherwise 1/rows, at least 1e-4. Values: auto, 1e-12 to 1e6.
        theta_penalty : str, default None
            Penalty on a learned theta: V times the sum of |theta|, or of theta^2 / 2. Values: none,
            l1:V, l2:V.
        epochs : int or "auto", default "auto"
            Passes over the rows; auto = 25, and at least 5000 to 16000 steps (the fewer columns,
            the more), for ``recipe="joint"``; 10000 steps for a head alone. Values: auto, 1 to 1e6.
        batch : int or "auto", default "auto"
            Rows in a mini-batch; auto = rows/16, from 16 to 256, for ``recipe="joint"``, otherwise
            500. Values: auto, 1 to 1e6.
        difference_noise : float or "auto", default "auto"
            Noise on the rows of a joint training along the differences of other rows, in units of a
            difference; auto: chosen on validation rows. Values: auto, 0 to 10.
        translate : float or "auto", default "auto"
            Random translation of rows that are square images, in a joint training, in pixels; 0
            also turns off mirroring; auto: chosen on validation rows. Values: auto, 0 to 10.
        noise : float or "auto", default "auto"
            Gaussian noise on the rows of a joint training, in units of s / sqrt(d), s as for
            ``gamma``; auto: chosen on validation rows. Values: auto, 0 to 100.
        decay : float or "auto", default "auto"
            Weight decay of theta in a joint training; auto: chosen on validation rows. Values:
            auto, 0 to 100.
        map_rate : float or "auto", default "auto"
            Learning rate of the map in a joint training: 1 learns the map in full, 0 keeps the
            random map and solves for the head; auto = 1 where rows are many, otherwise chosen on
            validation rows. Values: auto, 0 to 1.
        distill : {"auto", "yes", "no"}, default "auto"
            After a joint training on at most 2000 rows, distil an ensemble of kernel ridge models
            into the model; auto = yes where their leave-one-out loss is low enough.
        estimate : {"auto", "yes", "no"}, default "auto"
            Train once more without a fifth of the rows and score that model on them, beside a
            linear one and a constant; auto = no, but yes for the command cnm train where no rows
            are held out otherwise.
        effort : {"quick", "normal", "thorough"}, default "normal"
            How much work to spend on choosing map rate, scaling, width, noise and decay before a
            training: none (and a third of the steps), up to twice, or up to ten times the training.
        metric : {"auto", "accuracy", "balanced", "auc", "f1", "logloss"}, default "auto"
            The metric that such choices optimise and predict shows; balanced and f1 also set
            decision thresholds; auto = accuracy, or rmse for regression. The method score stays
            scikit-learn's.
        teacher : str or path, default None
            A larger model of the same rows: a joint training learns from its scores, too.
        skip : str, default None
            Stages of a training to leave out, to see what each is worth: detect, estimate, search,
            distill, prune or calibrate.
        prune : float, default 0.0
            Share of the features to remove after a joint training, those that change the scores
            least; the others are then trained a little more.
        validation : float, default 0.0
            Fraction of the rows to hold out for validation, the last ones of each class (shuffle
            sorted rows first). The best parameters on them are kept.
        patience : int or "auto", default "auto"
            Stop after N validations without progress (a joint training has 20, an alternating one
            has one each iteration); auto = never. Values: auto, 1 to 1e6.
        time_limit : float, default None
            Seconds that a joint training may take, reading aside: it then tries and trains less,
            and another run may differ. Values: none, 1e-3 to 1e9.
        class_weight : dict or "balanced", default None
            Weights of classes in training.
        checkpoint : str or path, default None
            Write the state of the training to this file now and then, and when it is interrupted.
        checkpoint_every : float or "auto", default "auto"
            Seconds between checkpoints; auto = 60. Values: auto, 1e-3 to 1e9.
        resume : bool, default False
            Continue from the checkpoint, to the same model as without the interruption; start anew
            where there is no checkpoint yet. Needs the same rows and parameters.
        scale : str, default "auto"
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default "auto"
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None is the seed 1, so the same model every time: other
            results need another number. A RandomState gives one number for each training.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        warm_start : bool, default False
            Whether fit goes on from the model of an earlier fit, which must have had the same columns
            and classes: three epochs, or as many as ``epochs`` says; with a larger ``n_components``
            the map grows.
        verbose : bool, default False
            Show what was understood of the rows, progress (a bar where tqdm is installed), and what was
            chosen.
        """
        self.method = method
        self.n_components = n_components
        self.projection = projection
        self.layers = layers
        self.init = init
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.dtype = dtype
        self.recipe = recipe
        self.iterations = iterations
        self.head_steps = head_steps
        self.map_steps = map_steps
        self.loss = loss
        self.alpha = alpha
        self.theta_penalty = theta_penalty
        self.epochs = epochs
        self.batch = batch
        self.difference_noise = difference_noise
        self.translate = translate
        self.noise = noise
        self.decay = decay
        self.map_rate = map_rate
        self.distill = distill
        self.estimate = estimate
        self.effort = effort
        self.metric = metric
        self.teacher = teacher
        self.skip = skip
        self.prune = prune
        self.validation = validation
        self.patience = patience
        self.time_limit = time_limit
        self.class_weight = class_weight
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verbose = verbose


class CNMRegressorParameters:
    """Parameters of :class:`CNMRegressor`."""

    def __init__(
        self,
        *,
        method: Literal["cnm", "rff", "kernel-approximation", "linear"] = "cnm",
        n_components: int | Literal["auto"] = "auto",
        projection: Literal["dense", "circulant", "circulant-diagonal"] = "dense",
        layers: str | tuple[int | str, ...] | None = None,
        init: Literal["auto", "random", "orthogonal"] = "auto",
        phase: Literal["uniform", "none"] = "uniform",
        kernel: Literal["gaussian", "laplacian", "cauchy"] = "gaussian",
        gamma: float | str = "auto",
        activation: Literal["cos", "sigmoid", "relu"] = "cos",
        dtype: Literal["auto", "f32", "f16"] = "auto",
        map_steps: int | Literal["auto"] = "auto",
        loss: Literal["auto", "squared", "huber", "epsilon", "quantile"] = "auto",
        quantile: float | Literal["auto"] = "auto",
        alpha: float | Literal["auto"] = "auto",
        theta_penalty: str | None = None,
        epochs: int | Literal["auto"] = "auto",
        batch: int | Literal["auto"] = "auto",
        difference_noise: float | Literal["auto"] = "auto",
        translate: float | Literal["auto"] = "auto",
        noise: float | Literal["auto"] = "auto",
        decay: float | Literal["auto"] = "auto",
        map_rate: float | Literal["auto"] = "auto",
        distill: Literal["auto", "yes", "no"] = "auto",
        estimate: Literal["auto", "yes", "no"] = "auto",
        effort: Literal["quick", "normal", "thorough"] = "normal",
        metric: Literal["auto", "rmse", "mae"] = "auto",
        teacher: str | os.PathLike[str] | None = None,
        skip: str | None = None,
        prune: float = 0.0,
        validation: float = 0.0,
        patience: int | Literal["auto"] = "auto",
        time_limit: float | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float | Literal["auto"] = "auto",
        resume: bool = False,
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] = "auto",
        missing: Literal["auto", "mean", "error"] = "auto",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None:
        """
        Parameters
        ----------
        method : {"cnm", "rff", "kernel-approximation", "linear"}, default "cnm"
            The map: cnm learns it with the task, rff draws random Fourier features,
            kernel-approximation fits features to the kernel, linear has no map.
        n_components : int or "auto", default "auto"
            Number of features k of the map; auto = 128, or a number from 64 to 512 that
            ``method="cnm"`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        projection : {"dense", "circulant", "circulant-diagonal"}, default "dense"
            dense learns any theta; circulant takes O(k log d) time and O(k) memory instead of O(k
            d); circulant-diagonal also learns a diagonal.
        layers : str or tuple, default None
            Layers of the map, of which each takes the features of the one before: 128,64 or
            circulant-diagonal:784,dense:64; in place of ``projection`` and ``n_components``, which
            are one layer. (128, 64) is 128,64.
        init : {"auto", "random", "orthogonal"}, default "auto"
            Draw the columns of theta independently, or in orthogonal blocks (Gaussian kernel only);
            auto = random, but orthogonal where a joint training keeps the random map.
        phase : {"uniform", "none"}, default "uniform"
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default "gaussian"
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default "auto"
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default "cos"
            The function behind the projection.
        dtype : {"auto", "f32", "f16"}, default "auto"
            Floating-point type of the model's weights; auto = f16 where at most 1 in 1000
            predictions for training rows changes.
        map_steps : int or "auto", default "auto"
            Steps of each layer of the map: in an iteration of ``--recipe alternating``, auto = 100;
            of ``method="kernel-approximation"``, auto = 1000. Values: auto, 1 to 1e9.
        loss : {"auto", "squared", "huber", "epsilon", "quantile"}, default "auto"
            auto = softmax for ``method="cnm"`` ``--recipe joint``, otherwise hinge; for regression
            squared, or huber where targets have outliers that other rows do not predict.
        quantile : float or "auto", default "auto"
            The quantile that ``loss="quantile"`` predicts: with 0.9, nine of ten targets are
            expected below their prediction; auto = 0.5, the median. Values: auto, 0.001 to 0.999.
        alpha : float or "auto", default "auto"
            Weight of the L2 penalty on the head; auto = 0, 0.001, or what validation rows prefer,
            for ``--recipe joint``; otherwise 1/rows, at least 1e-4. Values: auto, 1e-12 to 1e6.
        theta_penalty : str, default None
            Penalty on a learned theta: V times the sum of |theta|, or of theta^2 / 2. Values: none,
            l1:V, l2:V.
        epochs : int or "auto", default "auto"
            Passes over the rows; auto = 25, and at least 5000 to 16000 steps (the fewer columns,
            the more), for ``--recipe joint``; 10000 steps for a head alone. Values: auto, 1 to 1e6.
        batch : int or "auto", default "auto"
            Rows in a mini-batch; auto = rows/16, from 16 to 256, for ``--recipe joint``, otherwise
            500. Values: auto, 1 to 1e6.
        difference_noise : float or "auto", default "auto"
            Noise on the rows of a joint training along the differences of other rows, in units of a
            difference; auto: chosen on validation rows. Values: auto, 0 to 10.
        translate : float or "auto", default "auto"
            Random translation of rows that are square images, in a joint training, in pixels; 0
            also turns off mirroring; auto: chosen on validation rows. Values: auto, 0 to 10.
        noise : float or "auto", default "auto"
            Gaussian noise on the rows of a joint training, in units of s / sqrt(d), s as for
            ``gamma``; auto: chosen on validation rows. Values: auto, 0 to 100.
        decay : float or "auto", default "auto"
            Weight decay of theta in a joint training; auto: chosen on validation rows. Values:
            auto, 0 to 100.
        map_rate : float or "auto", default "auto"
            Learning rate of the map in a joint training: 1 learns the map in full, 0 keeps the
            random map and solves for the head; auto = 1 where rows are many, otherwise chosen on
            validation rows. Values: auto, 0 to 1.
        distill : {"auto", "yes", "no"}, default "auto"
            After a joint training on at most 2000 rows, distil an ensemble of kernel ridge models
            into the model; auto = yes where their leave-one-out loss is low enough.
        estimate : {"auto", "yes", "no"}, default "auto"
            Train once more without a fifth of the rows and score that model on them, beside a
            linear one and a constant; auto = no, but yes for the command cnm train where no rows
            are held out otherwise.
        effort : {"quick", "normal", "thorough"}, default "normal"
            How much work to spend on choosing map rate, scaling, width, noise and decay before a
            training: none (and a third of the steps), up to twice, or up to ten times the training.
        metric : {"auto", "rmse", "mae"}, default "auto"
            The metric that such choices optimise and predict shows; balanced and f1 also set
            decision thresholds; auto = accuracy, or rmse for regression. The method score stays
            scikit-learn's.
        teacher : str or path, default None
            A larger model of the same rows: a joint training learns from its scores, too.
        skip : str, default None
            Stages of a training to leave out, to see what each is worth: detect, estimate, search,
            distill, prune or calibrate.
        prune : float, default 0.0
            Share of the features to remove after a joint training, those that change the scores
            least; the others are then trained a little more.
        validation : float, default 0.0
            Fraction of the rows to hold out for validation, the last ones of each class (shuffle
            sorted rows first). The best parameters on them are kept.
        patience : int or "auto", default "auto"
            Stop after N validations without progress (a joint training has 20, an alternating one
            has one each iteration); auto = never. Values: auto, 1 to 1e6.
        time_limit : float, default None
            Seconds that a joint training may take, reading aside: it then tries and trains less,
            and another run may differ. Values: none, 1e-3 to 1e9.
        checkpoint : str or path, default None
            Write the state of the training to this file now and then, and when it is interrupted.
        checkpoint_every : float or "auto", default "auto"
            Seconds between checkpoints; auto = 60. Values: auto, 1e-3 to 1e9.
        resume : bool, default False
            Continue from the checkpoint, to the same model as without the interruption; start anew
            where there is no checkpoint yet. Needs the same rows and parameters.
        scale : str, default "auto"
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default "auto"
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None is the seed 1, so the same model every time: other
            results need another number. A RandomState gives one number for each training.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        warm_start : bool, default False
            Whether fit goes on from the model of an earlier fit, which must have had the same columns
            and classes: three epochs, or as many as ``epochs`` says; with a larger ``n_components``
            the map grows.
        verbose : bool, default False
            Show what was understood of the rows, progress (a bar where tqdm is installed), and what was
            chosen.
        """
        self.method = method
        self.n_components = n_components
        self.projection = projection
        self.layers = layers
        self.init = init
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.dtype = dtype
        self.map_steps = map_steps
        self.loss = loss
        self.quantile = quantile
        self.alpha = alpha
        self.theta_penalty = theta_penalty
        self.epochs = epochs
        self.batch = batch
        self.difference_noise = difference_noise
        self.translate = translate
        self.noise = noise
        self.decay = decay
        self.map_rate = map_rate
        self.distill = distill
        self.estimate = estimate
        self.effort = effort
        self.metric = metric
        self.teacher = teacher
        self.skip = skip
        self.prune = prune
        self.validation = validation
        self.patience = patience
        self.time_limit = time_limit
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verbose = verbose


class RandomFourierMapParameters:
    """Parameters of :class:`RandomFourierMap`."""

    def __init__(
        self,
        *,
        n_components: int | Literal["auto"] = "auto",
        init: Literal["auto", "random", "orthogonal"] = "auto",
        phase: Literal["uniform", "none"] = "uniform",
        kernel: Literal["gaussian", "laplacian", "cauchy"] = "gaussian",
        gamma: float | str = "auto",
        activation: Literal["cos", "sigmoid", "relu"] = "cos",
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] = "none",
        missing: Literal["auto", "mean", "error"] = "auto",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """
        Parameters
        ----------
        n_components : int or "auto", default "auto"
            Number of features k of the map; auto = 128, or a number from 64 to 512 that ``--method
            cnm`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        init : {"auto", "random", "orthogonal"}, default "auto"
            Draw the columns of theta independently, or in orthogonal blocks (Gaussian kernel only);
            auto = random, but orthogonal where a joint training keeps the random map.
        phase : {"uniform", "none"}, default "uniform"
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default "gaussian"
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default "auto"
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default "cos"
            The function behind the projection.
        scale : str, default "none"
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default "auto"
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None is the seed 1, so the same model every time: other
            results need another number. A RandomState gives one number for each training.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        """
        self.n_components = n_components
        self.init = init
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs


class CirculantMapParameters:
    """Parameters of :class:`CirculantMap`."""

    def __init__(
        self,
        *,
        n_components: int | Literal["auto"] = "auto",
        phase: Literal["uniform", "none"] = "uniform",
        kernel: Literal["gaussian", "laplacian", "cauchy"] = "gaussian",
        gamma: float | str = "auto",
        activation: Literal["cos", "sigmoid", "relu"] = "cos",
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] = "none",
        missing: Literal["auto", "mean", "error"] = "auto",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """
        Parameters
        ----------
        n_components : int or "auto", default "auto"
            Number of features k of the map; auto = 128, or a number from 64 to 512 that ``--method
            cnm`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        phase : {"uniform", "none"}, default "uniform"
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default "gaussian"
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default "auto"
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default "cos"
            The function behind the projection.
        scale : str, default "none"
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default "auto"
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None is the seed 1, so the same model every time: other
            results need another number. A RandomState gives one number for each training.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        """
        self.n_components = n_components
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs


class CompactKernelMapParameters:
    """Parameters of :class:`CompactKernelMap`."""

    def __init__(
        self,
        *,
        n_components: int | Literal["auto"] = "auto",
        projection: Literal["dense", "circulant", "circulant-diagonal"] = "dense",
        init: Literal["auto", "random", "orthogonal"] = "auto",
        phase: Literal["uniform", "none"] = "uniform",
        kernel: Literal["gaussian", "laplacian", "cauchy"] = "gaussian",
        gamma: float | str = "auto",
        activation: Literal["cos", "sigmoid", "relu"] = "cos",
        map_steps: int | Literal["auto"] = "auto",
        theta_penalty: str | None = None,
        batch: int | Literal["auto"] = "auto",
        validation: float = 0.0,
        checkpoint: str | os.PathLike[str] | None = None,
        checkpoint_every: float | Literal["auto"] = "auto",
        resume: bool = False,
        scale: Literal["auto", "none", "global", "standard", "range", "asinh", "wide", "quantile"] = "none",
        missing: Literal["auto", "mean", "error"] = "auto",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        """
        Parameters
        ----------
        n_components : int or "auto", default "auto"
            Number of features k of the map; auto = 128, or a number from 64 to 512 that ``--method
            cnm`` chooses on validation rows for a dense map. Values: auto, 1 to 1e9.
        projection : {"dense", "circulant", "circulant-diagonal"}, default "dense"
            dense learns any theta; circulant takes O(k log d) time and O(k) memory instead of O(k
            d); circulant-diagonal also learns a diagonal.
        init : {"auto", "random", "orthogonal"}, default "auto"
            Draw the columns of theta independently, or in orthogonal blocks (Gaussian kernel only);
            auto = random, but orthogonal where a joint training keeps the random map.
        phase : {"uniform", "none"}, default "uniform"
            Random phases from [0, 2 pi), or no phases.
        kernel : {"gaussian", "laplacian", "cauchy"}, default "gaussian"
            The kernel that random features approximate; learned features start from them.
        gamma : float or str, default "auto"
            Bandwidth: K = exp(-gamma |x-y|^2); knn = 1/(2 s^2), paper = 2/s^2, s = mean distance to
            the 50th neighbour; auto = knn, and a joint training may change it. Values: auto, knn,
            paper, a number from 1e-20 to 1e20.
        activation : {"cos", "sigmoid", "relu"}, default "cos"
            The function behind the projection.
        map_steps : int or "auto", default "auto"
            Steps of each layer of the map: in an iteration of ``--recipe alternating``, auto = 100;
            of ``--method kernel-approximation``, auto = 1000. Values: auto, 1 to 1e9.
        theta_penalty : str, default None
            Penalty on a learned theta: V times the sum of |theta|, or of theta^2 / 2. Values: none,
            l1:V, l2:V.
        batch : int or "auto", default "auto"
            Rows in a mini-batch; auto = rows/16, from 16 to 256, for ``--recipe joint``, otherwise
            500. Values: auto, 1 to 1e6.
        validation : float, default 0.0
            Fraction of the rows to hold out for validation, the last ones of each class (shuffle
            sorted rows first). The best parameters on them are kept.
        checkpoint : str or path, default None
            Write the state of the training to this file now and then, and when it is interrupted.
        checkpoint_every : float or "auto", default "auto"
            Seconds between checkpoints; auto = 60. Values: auto, 1e-3 to 1e9.
        resume : bool, default False
            Continue from the checkpoint, to the same model as without the interruption; start anew
            where there is no checkpoint yet. Needs the same rows and parameters.
        scale : str, default "none"
            How columns are scaled; fitted on the training rows and kept in the model. Values: auto,
            none, global, standard, range, asinh, wide, quantile.
        missing : {"auto", "mean", "error"}, default "auto"
            Empty cells, ?, NA and nan: filled with the column's mean (kept in the model), with auto
            also noted in a feature of their own where they are many; or an error.
        random_state : int or RandomState, default None
            Seed of everything random. None is the seed 1, so the same model every time: other
            results need another number. A RandomState gives one number for each training.
        n_jobs : int, default None
            Number of threads, as joblib counts them. None: all processors, or OMP_NUM_THREADS.
            Results do not depend on it.
        verbose : bool, default False
            Show what was understood of the rows, progress (a bar where tqdm is installed), and what was
            chosen.
        """
        self.n_components = n_components
        self.projection = projection
        self.init = init
        self.phase = phase
        self.kernel = kernel
        self.gamma = gamma
        self.activation = activation
        self.map_steps = map_steps
        self.theta_penalty = theta_penalty
        self.batch = batch
        self.validation = validation
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.resume = resume
        self.scale = scale
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
