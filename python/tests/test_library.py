"""The package against the library: prototypes, options, callbacks, files."""

import ctypes
import inspect
import os
import re
import shutil
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import cnm
from cnm import (
    CirculantMap,
    CNMClassifier,
    CNMRegressor,
    CompactKernelMap,
    RandomFourierMap,
    _data,
    _library,
    _training,
)
from cnm._parameters import COUNTS, DEFAULTS, OPTIONS, VERSION_NUMBER

ROOT = Path(__file__).resolve().parents[2]
QUICK = {"n_components": 8, "effort": "quick", "epochs": 20}
X = np.random.RandomState(0).normal(size=(200, 3)).astype(np.float32)
y = (X[:, 0] * X[:, 1] > 0).astype(int)


# ---- Prototypes ----


def declared_functions():
    """Returns {name: (result, arguments)} as the headers declare them."""
    text = "\n".join(path.read_text() for path in sorted((ROOT / "include/cnm").glob("*.h")))
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    found = {}
    for result, name, arguments in re.findall(r"CNM_API\s+([\w ]+?[ *]+)(cnm_\w+)\((.*?)\);", text, flags=re.S):
        arguments = re.sub(r"\(\*(\w+)\)\([^)]*\)", r"*\1 FUNCTION", arguments)
        parts = [] if arguments.strip() == "void" else [" ".join(a.split()) for a in arguments.split(",")]
        found[name] = (" ".join(result.split()), parts)
    return found


def kind_of(argument):
    """Returns the ctypes kind of a C declaration."""
    if "FUNCTION" in argument:
        return "function"
    if "*" in argument:
        return "pointer"
    words = argument.split()
    for word in ("size_t", "int32_t", "uint64_t", "double", "int", "cnm_status", "void"):
        if word in words:
            return word
    return "int" if "unsigned" in words else argument


def ctypes_kind(declared):
    plain = {
        None: "void",
        ctypes.c_size_t: "size_t",
        ctypes.c_double: "double",
        ctypes.c_int: "int",
    }
    if declared in plain:
        return plain[declared]
    if issubclass(declared, ctypes._CFuncPtr):
        return "function"
    return "uint64_t" if declared is ctypes.c_uint64 else "pointer"


def test_prototypes_are_those_of_the_headers():
    header = declared_functions()
    assert len(header) > 50
    same = {"size_t", "uint64_t"} if ctypes.sizeof(ctypes.c_size_t) == 8 else set()
    ours = {**_library.FUNCTIONS, **{n: (ctypes.c_int, [*a, ctypes.c_void_p]) for n, a in _library.CHECKED.items()}}
    for name, (result, arguments) in ours.items():
        wanted_result, wanted = header[name]
        got = [ctypes_kind(a) for a in arguments]
        expected = [kind_of(a) for a in wanted]
        assert len(got) == len(expected), name
        for mine, theirs in zip([ctypes_kind(result), *got], [kind_of(wanted_result + " x"), *expected], strict=True):
            assert mine == theirs or {mine, theirs} <= same or (mine, theirs) == ("int", "cnm_status"), name


# ---- Options ----

ESTIMATORS = [CNMClassifier, CNMRegressor, RandomFourierMap, CirculantMap, CompactKernelMap]


def test_generated_files_are_current():
    library = Path(_library.LIBRARY._name)
    run = [sys.executable, ROOT / "python/reference.py", "--check", "--library", library, "--command", command()]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_parameters_are_keywords_with_documents(estimator):
    for name, parameter in inspect.signature(estimator).parameters.items():
        assert name in OPTIONS or name in ("verbose", "warm_start")
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert f"\n    {name} : " in estimator.__doc__.replace("\n", "\n    ")
    assert "{parameters}" not in estimator.__doc__


def library_default(option):
    value = ctypes.c_char_p()
    _library.LIBRARY.cnm_options_get.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
    assert _library.LIBRARY.cnm_options_get(None, option.encode(), ctypes.byref(value), None) == 0
    return value.value.decode()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_defaults_are_those_of_the_library(estimator):
    own = {"scale"} if estimator.__name__.endswith("Map") else set()  # maps take columns as they come
    for name, parameter in inspect.signature(estimator).parameters.items():
        if parameter.default is None or name in own or name not in OPTIONS:
            continue
        assert _library.as_text(parameter.default) == library_default(OPTIONS[name])
        assert parameter.default == DEFAULTS[name]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_defaults_are_left_to_the_library(estimator):
    settings = estimator()._settings()
    allowed = {"scale", "init", "threads", *estimator._fixed} if estimator.__name__.endswith("Map") else {"threads"}
    given = {option for option, value in settings.items() if value is not None}
    assert given <= allowed | set(estimator._fixed)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_parameter_reaches_the_option_that_it_is_named_for(estimator):
    others = ("verbose", "warm_start", "random_state", "n_jobs")
    values = {
        name: 10**6 + i if name in COUNTS else object()
        for i, name in enumerate(estimator._get_param_names())
        if name not in others
    }
    settings = estimator(**values)._settings()
    for name, value in values.items():
        assert settings[OPTIONS[name]] is value or OPTIONS[name] in estimator._fixed


@pytest.mark.parametrize("value", [8.0, 7.5, np.float32(8)])
def test_counts_are_whole_numbers(value):
    with pytest.raises(ValueError, match=r"n_components cannot be .*expected a whole number"):
        CNMClassifier(n_components=value).fit(X, y)
    assert CNMClassifier(**{**QUICK, "n_components": np.int32(4)}).fit(X, y).transform(X).shape == (200, 4)


def test_a_numpy_generator_is_refused_with_a_way_out():
    with pytest.raises(ValueError, match=r"random_state cannot be a numpy Generator.*int\(generator"):
        CNMClassifier(**QUICK, random_state=np.random.default_rng(0)).fit(X, y)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"),
        (8, "8"),
        (np.int64(8), "8"),
        (8.0, "8"),
        (1e-5, "1e-05"),
        (np.float32(0.5), "0.5"),
        ("auto", "auto"),
    ],
)
def test_values_as_text(value, text):
    assert _library.as_text(value) == text


# ---- Rows ----


def test_float32_rows_are_borrowed():
    rows = X.copy()
    handle = _data.rows_of(rows)
    before = _library.LIBRARY.cnm_data_checksum(handle.address)
    rows[3, 1] += 1
    assert _library.LIBRARY.cnm_data_checksum(handle.address) != before
    assert handle.kept[0] is rows


# ---- Callbacks ----


class ActingMeter:
    """A meter that calls a function once a training is under way."""

    def __init__(self, act):
        self.act, self.closed = act, False

    def show(self, phase, values):
        self.act()

    def close(self):
        self.closed = True


@pytest.fixture
def receives_ctrl_c():
    # A background process of a shell ignores SIGINT from the start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press_ctrl_c():
    signal.raise_signal(signal.SIGINT)


@pytest.mark.usefixtures("receives_ctrl_c")
@pytest.mark.parametrize("effort", ["quick", "normal"])
def test_ctrl_c_stops_and_leaves_a_model(monkeypatch, effort):
    monkeypatch.setattr(_training, "Meter", lambda: ActingMeter(press_ctrl_c))
    model = CNMClassifier(n_components=64, effort=effort, epochs=100000, verbose=True)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.predict(X).shape == y.shape
    assert model.describe()["stopped"] == "before the end"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("receives_ctrl_c")
@pytest.mark.parametrize("estimator", [CNMClassifier, CNMRegressor, CompactKernelMap])
def test_a_checkpoint_goes_on_to_the_same_model(monkeypatch, tmp_path, estimator):
    long = {"map_steps": 8000, "batch": 50} if estimator is CompactKernelMap else {"effort": "quick", "epochs": 12000}
    whole = estimator(n_components=64, **long).fit(X, y)
    path = tmp_path / "state"
    kept = estimator(n_components=64, **long, checkpoint=path, resume=True, verbose=True)
    monkeypatch.setattr(_training, "Meter", lambda: ActingMeter(press_ctrl_c))
    with pytest.warns(cnm.CNMWarning, match="starts afresh"), pytest.raises(KeyboardInterrupt):
        kept.fit(X, y)
    assert path.exists()
    assert not np.array_equal(kept.theta_, whole.theta_)
    kept.set_params(verbose=False)
    with pytest.warns(cnm.CNMWarning, match="state"):
        kept.fit(X, y)
    assert np.array_equal(kept.theta_, whole.theta_)
    with pytest.raises(ValueError, match="other data"):
        kept.fit(X[:-1], y[:-1])
    with pytest.raises(ValueError, match=r"resume .* needs checkpoint"):
        estimator(resume=True).fit(X, y)


def test_a_warning_names_the_line_that_asked(tmp_path):
    with pytest.warns(cnm.CNMWarning) as caught:
        CNMClassifier(**QUICK, checkpoint=tmp_path / "state", resume=True).fit(X, y)
    assert caught[0].filename == __file__


def test_a_failure_in_a_callback_stops_and_is_raised(monkeypatch):
    def fail():
        raise RuntimeError("a meter that breaks")

    monkeypatch.setattr(_training, "Meter", lambda: ActingMeter(fail))
    with pytest.raises(RuntimeError, match="a meter that breaks"):
        CNMClassifier(n_components=64, effort="quick", epochs=100000, verbose=True).fit(X, y)


@pytest.mark.parametrize("bar", [True, False])
def test_progress_is_shown(monkeypatch, capsys, bar):
    if not bar:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    model = CNMClassifier(**QUICK, verbose=True).fit(X, y)
    shown = capsys.readouterr().err
    assert "fit" in shown
    assert model.understood_[0] in shown
    chosen = next(line for line in shown.splitlines() if "chosen: " in line)
    assert f"features {model.describe()['features']}," in chosen
    assert f"batch {model.describe()['batch']}" in chosen


def test_notices_are_warnings():
    with pytest.warns(cnm.CNMWarning, match="kernel gaussian or projection dense"):
        CirculantMap(kernel="cauchy", n_components=4).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CirculantMap(n_components=4).fit(X)


# ---- Files ----


def command():
    given = os.environ.get("CNM_COMMAND", str(ROOT / "build/release/cnm"))
    found = shutil.which(given)
    if found is None:
        pytest.skip("no command cnm: set CNM_COMMAND")
    return found


@pytest.mark.parametrize(
    "estimator",
    [
        CNMClassifier(**QUICK),
        CNMClassifier(**QUICK, loss="hinge"),
        CNMRegressor(**QUICK),
        CNMClassifier(method="linear", epochs=50),
        RandomFourierMap(n_components=4),
        CirculantMap(n_components=4),
        CompactKernelMap(n_components=4, map_steps=20, batch=50),
    ],
)
def test_files_give_the_same_estimator(tmp_path, estimator):
    estimator.fit(X, y)
    estimator.save(tmp_path / "model.cnm")
    again = cnm.load(tmp_path / "model.cnm")
    assert type(again) is type(estimator)
    assert again.n_features_in_ == 3
    assert np.array_equal(again.transform(X), estimator.transform(X))
    if hasattr(estimator, "predict"):
        assert np.array_equal(again.predict(X), estimator.predict(X))
        again.fit(X, y)
        assert again.score(X, y) > 0.3 or estimator.score(X, y) < 0.6
    again.save(tmp_path / "again.cnm")


def test_names_of_columns_come_back(tmp_path):
    import pandas as pd

    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    CNMClassifier(**QUICK).fit(frame, y).save(tmp_path / "model.cnm")
    assert list(cnm.load(tmp_path / "model.cnm").feature_names_in_) == ["a", "b", "c"]


@pytest.mark.parametrize("names", [[0, 1], ["no", "yes"], [-1, 1]])
def test_the_command_and_python_predict_the_same(tmp_path, names):
    labels = np.array(names)[y]
    model = CNMClassifier(**QUICK).fit(X, labels)
    model.save(tmp_path / "model.cnm")
    np.save(tmp_path / "rows.npy", X)
    run = [command(), "predict", "-q", "--label-column", "none", "--probability", "model.cnm", "rows.npy"]
    lines = subprocess.run(run, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.split("\n")[:-1]
    words = [line.split() for line in lines]
    assert [w[0] for w in words] == [str(value) for value in model.predict(X)]
    probabilities = np.array([[float(cell) for cell in w[1:]] for w in words])
    assert np.allclose(probabilities, model.predict_proba(X), atol=1e-9)


def test_python_reads_what_the_command_learned(tmp_path):
    lines = [f"{a:.9g},{b:.9g},{c:.9g},{'in' if label else 'out'}" for (a, b, c), label in zip(X, y, strict=True)]
    (tmp_path / "rows.csv").write_text("a,b,c,side\n" + "\n".join(lines) + "\n")
    train = [command(), "train", "-q", "-k", "8", "--epochs", "20", "--effort", "quick", "rows.csv", "model.cnm"]
    subprocess.run(train, cwd=tmp_path, check=True)
    out = subprocess.run(
        [command(), "predict", "-q", "model.cnm", "rows.csv", "-o", "-"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    model = cnm.load(tmp_path / "model.cnm")
    assert list(model.classes_) == ["in", "out"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows without names
        assert list(model.predict(X)) == out
        assert model.fit(X, y).score(X, y) > 0.5


def test_a_broken_file_is_refused(tmp_path):
    path = tmp_path / "model.cnm"
    CNMClassifier(**QUICK).fit(X, y).save(path)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(ValueError, match=r"model\.cnm"):
        cnm.load(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        cnm.load(tmp_path / "nix.cnm")
    assert caught.value.filename == str(tmp_path / "nix.cnm")


def test_numbers_of_a_description_are_numbers():
    found = CNMClassifier(**QUICK).fit(X, np.array(["a, b", "c"])[y]).describe()
    assert found["labels"] == ["a, b", "c"]
    assert (found["features"], found["columns"], found["training_rows"]) == (8, 3, 200)
    assert isinstance(found["final_loss"], float) and found["task"] == "classify"
    assert found["stages"][:2] == ["dataset", "detect"]
    assert CNMClassifier(**QUICK).fit(X, y).describe()["labels"] == [0, 1]


# ---- Exports ----


@pytest.mark.parametrize("dtype", [None, "f16", "i8"])
def test_export_to_c(tmp_path, dtype):
    model = CNMClassifier(**QUICK, dtype="f32").fit(X, y)
    facts = model.export(tmp_path / "model.c", dtype=dtype, data=(X, y))
    assert (tmp_path / "model.c").exists() and Path(facts["header"]).exists()
    assert facts["dtype"] == (dtype or "f32") and facts["flash"] > facts["stack"] > 0
    assert facts["accuracy"] == model.score(X, y)
    assert facts["accuracy_exported"] == pytest.approx(facts["accuracy"], abs=0.0 if dtype is None else 0.05)


def test_export_to_onnx_and_refusals(tmp_path):
    model = CNMRegressor(**QUICK).fit(X, X[:, 0])
    facts = model.export(str(tmp_path / "model.onnx"), data=(X, X[:, 0]))
    assert set(facts) == {"file", "dtype", "r2", "r2_exported"} and (tmp_path / "model.onnx").stat().st_size > 0
    with pytest.raises(ValueError, match=r"\.c .*\.onnx"):
        model.export(tmp_path / "model.txt")
    with pytest.raises(ValueError, match="f32, f16 or i8"):
        model.export(tmp_path / "model.c", dtype="f8")
    with pytest.raises(ValueError, match="not fitted"):
        CNMRegressor().export(tmp_path / "model.c")


def test_versions_agree():
    from importlib.metadata import version

    assert version("cnm-learn") == cnm.__version__
    header = (ROOT / "include/cnm/cnm.h").read_text()
    parts = [int(n) for n in re.findall(r"#define CNM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)]
    assert ".".join(map(str, parts)) == cnm.__version__
    assert _library.LIBRARY.cnm_version_number() == parts[0] * 10000 + parts[1] * 100 + parts[2]


def test_a_library_of_another_version_is_refused(monkeypatch):
    for number in (VERSION_NUMBER + 100, VERSION_NUMBER + 1):  # a package of the next minor version, of the next patch
        monkeypatch.setattr(_library, "VERSION_NUMBER", number)
        with pytest.raises(ImportError, match="another version"):
            _library._open()
    monkeypatch.setattr(_library, "VERSION_NUMBER", VERSION_NUMBER)
    _library._open()
