"""Columns of frames as the library gets them: numbers, positions of words, days."""

import datetime
import decimal
import os
import shutil
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.model_selection import GridSearchCV

import cnm
from cnm import CNMClassifier, CNMRegressor, RandomFourierMap
from cnm._frames import TypedRows, has_types, names_of, typed_rows

QUICK = {"n_components": 8, "effort": "quick", "epochs": 20}
NAN = np.nan


def command():
    default = Path(__file__).resolve().parents[2] / "build/release/cnm"
    found = shutil.which(os.environ.get("CNM_COMMAND", str(default)))
    if found is None:
        pytest.skip("no command cnm: set CNM_COMMAND")
    return found


def column(cells, **words):
    """Returns (values, words, is_time) of a frame with one column."""
    rows = typed_rows(cells if hasattr(cells, "columns") else pd.DataFrame({"x": cells}))
    return rows.values[:, 0].tolist(), rows.words.get(0), rows.times == (0,)


def same(found, values, words=None, is_time=False):
    return np.array_equal(found[0], values, equal_nan=True) and found[1:] == (words, is_time)


MOMENT = pd.Timestamp("1970-01-03T12:00")

PANDAS = [
    (pd.Series(["b", None, "a", "b"], dtype=object), [0, NAN, 1, 0], ["b", "a"], False),
    (pd.Series(["b", pd.NA, "a", " "], dtype="string"), [0, NAN, 1, NAN], ["b", "a"], False),
    (pd.Series(["b", NAN, "a"]), [0, NAN, 1], ["b", "a"], False),
    (pd.Series(["b", None, "a"], dtype="category"), [1, NAN, 0], ["a", "b"], False),
    (pd.Series([2, 7, 2], dtype="category"), [0, 1, 0], ["2", "7"], False),
    (pd.Series([2.0, NAN, 7.5], dtype="category"), [0, NAN, 1], ["2", "7.5"], False),
    (pd.Series([True, False]), [1, 0], None, False),
    (pd.Series([True, None, False], dtype="boolean"), [1, NAN, 0], None, False),
    (pd.Series([True, None, False], dtype=object), [1, NAN, 0], None, False),
    (pd.Series([3, None, 4], dtype="Int64"), [3, NAN, 4], None, False),
    (pd.Series([decimal.Decimal("1.5"), None, 2], dtype=object), [1.5, NAN, 2], None, False),
    (pd.Series([MOMENT, pd.NaT]), [2.5, NAN], None, True),
    (pd.Series([MOMENT.tz_localize("Asia/Tokyo"), pd.NaT]), [2.125, NAN], None, True),
    (pd.Series([MOMENT.tz_localize("Asia/Tokyo"), None], dtype=object), [2.125, NAN], None, True),
    (pd.Series([datetime.date(1970, 1, 2), None], dtype=object), [1, NAN], None, True),
    (pd.Series([datetime.time(6), None], dtype=object), [0.25, NAN], None, True),
    (pd.Series(pd.period_range("1970-01", periods=2, freq="M")), [0, 31], None, True),
    (pd.Series([pd.Timedelta(hours=36), pd.NaT]), [1.5, NAN], None, False),
    (pd.Series([None, None], dtype=object), [NAN, NAN], [], False),
    (pd.Series(["1", 2, "x"], dtype=object), [0, 1, 2], ["1", "2", "x"], False),
    (pd.Series([1, "1", 1.0], dtype=object), [0, 0, 0], ["1"], False),
    (pd.Series([b"a", "a"], dtype=object), [0, 0], ["a"], False),
]


@pytest.mark.parametrize(("cells", "values", "words", "is_time"), PANDAS)
def test_columns_of_pandas(cells, values, words, is_time):
    assert same(column(cells), values, words, is_time)


FRAME = {
    "word": ["b", None, "a"],
    "flag": [True, None, False],
    "count": [1, None, 3],
    "real": [0.5, None, 2.0],
    "day": [datetime.date(1970, 1, 3), None, datetime.date(1969, 12, 31)],
    "moment": [datetime.datetime(1970, 1, 1, 6), None, datetime.datetime(1970, 1, 2)],
    "span": [datetime.timedelta(hours=12), None, datetime.timedelta(days=2)],
    "clock": [datetime.time(18), None, datetime.time(0)],
}
VALUES = np.array([[0, 1, 1, 0.5, 2, 0.25, 0.5, 0.75], [NAN] * 8, [1, 0, 3, 2, -1, 1, 2, 0]])


def polars_frame():
    return pytest.importorskip("polars").DataFrame(FRAME)


def arrow_table():
    return pytest.importorskip("pyarrow").table(FRAME)


class Stream:
    """A frame of a library that nobody knows, which offers Arrow data."""

    def __init__(self):
        self.table = arrow_table()

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("make", [lambda: pd.DataFrame(FRAME, dtype=object), polars_frame, arrow_table])
def test_libraries_of_frames_agree(make):
    frame = make()
    assert has_types(frame) and names_of(frame) == list(FRAME)
    rows = typed_rows(frame)
    assert np.array_equal(rows.values, VALUES, equal_nan=True)
    assert rows.words == {0: ["b", "a"]} and rows.times == (4, 5, 7) and rows.names == list(FRAME)


def test_categories_of_polars_and_arrow():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"x": polars.Series(["b", None, "a"], dtype=polars.Categorical)})
    assert same(column(frame), [0, NAN, 1], ["b", "a"])
    pytest.importorskip("pyarrow")
    assert same(column(frame.to_arrow()), [0, NAN, 1], ["b", "a"])
    assert same(column(frame.to_arrow().to_batches()[0]), [0, NAN, 1], ["b", "a"])


def test_categories_stay_words_where_all_are_numbers():
    codes = np.arange(300) % 3
    labels = (codes == 1).astype(int)  # no number is on one side of the others
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    numbers = pd.DataFrame({"code": 10 * codes})
    kept = numbers.astype("category")
    frames = [kept, polars.from_pandas(numbers.astype(str).astype("category")), pyarrow.Table.from_pandas(kept)]
    for frame in frames:
        model = CNMClassifier(method="linear").fit(frame, labels)
        assert model.score(frame, labels) == 1 and list(model.input_names_) == ["code=0", "code=10", "code=20"]
        assert np.array_equal(model.predict(numbers), labels)
    assert CNMClassifier(method="linear").fit(numbers.astype(str), labels).score(numbers, labels) < 0.7


def test_any_stream_of_arrow_data_is_a_frame():
    target = np.array([0, 1, 1] * 20)
    stream = Stream()
    stream.table = stream.table.take(list(range(3)) * 20)
    model = CNMClassifier(**QUICK, missing="mean").fit(stream, target)
    assert list(model.feature_names_in_) == list(FRAME)
    assert np.array_equal(model.predict(stream), model.predict(stream.table.to_pandas()))


@pytest.mark.parametrize("rows", [[[1, "a", None], [2.5, "b", True]], (("1", "x"), ("2", "y"))])
def test_lists_of_mixed_rows(rows):
    for given in (rows, np.array(rows, dtype=object)):
        read = typed_rows(given)
        assert read.words[1] == sorted(row[1] for row in rows)
        assert read.shape == (2, len(rows[0])) and read.names is None


def test_numbers_stay_where_they_are():
    numbers = pd.DataFrame({"a": [1, 2], "b": [0.5, 1.5], "c": [True, False]})
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    plain = [
        numbers,
        numbers.to_numpy(dtype=float),
        [[1, 2]],
        polars.DataFrame({"a": [1]}),
        pyarrow.table({"a": [1.0]}),
    ]
    assert not any(has_types(X) for X in plain)
    assert not has_types([[1, 2], [3]]) and not has_types(["a"]) and not has_types(np.array(["a", "b"]))


@pytest.mark.parametrize("cell", [[1], {1: 2}, {1}, (1, 2), 1j, np.zeros(2)])
def test_cells_that_nobody_understands(cell):
    cells = np.empty(2, dtype=object)
    cells[:] = [cell, "x"]
    with pytest.raises(ValueError, match=rf"column 'city' holds a cell of type {type(cell).__name__}"):
        CNMClassifier(**QUICK).fit(pd.DataFrame({"n": [1.0, 2.0], "city": cells}), [0, 1])


@pytest.mark.parametrize("word", ["a\0b", "\ud800"])
def test_texts_that_the_library_cannot_keep(word):
    with pytest.raises(ValueError, match=r"column 1 holds .*NUL"):
        CNMClassifier(**QUICK).fit(np.array([[1.0, word], [2.0, "x"]], dtype=object), [0, 1])


def test_infinite_numbers_are_refused_by_the_name_of_their_column():
    frame = pd.DataFrame({"age": [1.0, 2.0], "income": [1.0, np.inf]})
    words = frame.assign(city=["a", "b"])
    for rows in (frame, words, frame.astype("float32"), words[["city", "income"]]):
        with pytest.raises(ValueError, match="column 'income' holds an infinite number"):
            CNMRegressor(**QUICK).fit(rows, [0, 1])
    with pytest.raises(ValueError, match="column 1 holds an infinite number"):
        CNMRegressor(**QUICK).fit(frame.to_numpy(), [0, 1])
    fitted = CNMRegressor(**QUICK).fit(frame.fillna(0).replace(np.inf, 3.0), [0, 1])
    with pytest.raises(ValueError, match="column 'income' holds an infinite number"):
        fitted.predict(frame)


def test_missing_cells_are_refused_by_the_name_of_their_column_where_asked():
    for frame in (pd.DataFrame({"a": [1, 2], "b": [NAN, 1]}), pd.DataFrame({"a": ["x", "y"], "b": [NAN, 1]})):
        with pytest.raises(ValueError, match="column 'b' holds NaN, and missing=\"error\""):
            CNMClassifier(**QUICK, missing="error").fit(frame, [0, 1])


def test_sparse_rows_have_no_missing_cells():
    rows = sparse.csr_matrix([[0.0, 1.0], [NAN, 2.0]])
    with pytest.raises(ValueError, match="column 0 holds NaN, and in sparse rows"):
        CNMClassifier(**QUICK).fit(rows, [0, 1])


def test_rows_of_typed_columns_are_selected():
    rows = typed_rows(pd.DataFrame(FRAME, dtype=object))
    some = rows[np.array([2, 0])]
    assert isinstance(some, TypedRows) and len(some) == 2 and some.words == rows.words
    assert np.array_equal(some.values, VALUES[[2, 0]])


# ---- Trainings ----


def customers(count=600):
    """Returns a frame of everything, and labels that follow from a word, a date and a number."""
    random = np.random.RandomState(0)
    start = pd.Timestamp("2023-01-01")
    frame = pd.DataFrame(
        {
            "age": random.randint(18, 80, count).astype(float),
            "city": random.choice(["Oslo", "Paris", "Rome"], count),
            "joined": start + pd.to_timedelta(random.randint(0, 365, count), unit="D"),
            "vip": random.rand(count) < 0.3,
            "plan": pd.Categorical(random.choice(["flat", "free"], count)),
        }
    )
    label = ((frame["city"] == "Rome") & (frame["age"] > 40)) | (frame["joined"] > start + pd.Timedelta(days=270))
    frame.loc[::9, "age"] = NAN
    frame.loc[::11, "city"] = None
    return frame, np.where(label, "stays", "leaves")


LONGER = {"n_components": 32, "effort": "quick", "epochs": 80}
ROWS, LABELS = customers()
TRAIN, TEST = slice(0, 450), slice(450, None)


@pytest.fixture(scope="module")
def fitted():
    return CNMClassifier(**LONGER).fit(ROWS[TRAIN], LABELS[TRAIN])


def test_words_dates_and_missing_cells_are_learned_from(fitted):
    assert fitted.score(ROWS[TEST], LABELS[TEST]) > 0.85
    without = CNMClassifier(**LONGER).fit(ROWS[["vip", "plan"]][TRAIN], LABELS[TRAIN])
    assert without.score(ROWS[["vip", "plan"]][TEST], LABELS[TEST]) < 0.75
    assert fitted.n_features_in_ == 5 and list(fitted.feature_names_in_) == list(ROWS.columns)
    assert fitted.theta_.shape[0] == len(fitted.offset_) > 5  # words have features of 0 and 1
    assert any("city (3 words)" in line for line in fitted.understood_)
    assert set(np.argsort(fitted.feature_importances_)[-3:]) == {0, 1, 2}


def test_frames_of_all_libraries_give_the_same_model(fitted):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    wanted = fitted.predict_proba(ROWS[TEST])
    for make in (polars.from_pandas, lambda frame: pyarrow.Table.from_pandas(frame, preserve_index=False)):
        other = CNMClassifier(**LONGER).fit(make(ROWS[TRAIN]), LABELS[TRAIN])
        assert np.array_equal(other.predict_proba(make(ROWS[TEST])), wanted)
        assert np.array_equal(fitted.predict_proba(make(ROWS[TEST])), wanted)
    objects = CNMClassifier(**LONGER).fit(ROWS[TRAIN].to_numpy(dtype=object), LABELS[TRAIN])
    assert np.array_equal(objects.predict_proba(ROWS[TEST].to_numpy(dtype=object)), wanted)


def test_a_row_does_not_depend_on_the_rows_it_comes_with(fitted):
    wanted = fitted.decision_function(ROWS[TEST])
    alone = [fitted.decision_function(ROWS[i : i + 1])[0] for i in range(450, 600, 10)]
    assert np.array_equal(alone, wanted[::10])


def test_texts_of_dates_and_new_words_are_predicted(fitted):
    texts = ROWS[TEST].assign(joined=ROWS["joined"][TEST].dt.strftime("%Y-%m-%d"))
    assert np.array_equal(fitted.decision_function(texts), fitted.decision_function(ROWS[TEST]))
    with pytest.warns(cnm.CNMWarning, match="150 words that training never saw, in city"):
        assert len(fitted.predict(ROWS[TEST].assign(city="Atlantis"))) == 150
    assert len(fitted.predict(ROWS[TEST].assign(city=None, age=NAN))) == 150
    with pytest.raises(ValueError, match=r"joined.*soon"):
        fitted.predict(ROWS[TEST].assign(joined="soon"))


def test_fitted_models_want_their_columns_in_order(fitted):
    with pytest.raises(ValueError, match="same order"):
        fitted.predict(ROWS[ROWS.columns[::-1]])
    with pytest.raises(ValueError, match="city"):
        fitted.predict(ROWS.drop(columns="city"))


def test_loaded_models_find_their_columns_by_name(tmp_path, fitted):
    fitted.save(tmp_path / "model.cnm")
    model, wanted = cnm.load(tmp_path / "model.cnm"), fitted.predict_proba(ROWS)
    assert list(model.feature_names_in_) == list(ROWS.columns)
    turned = ROWS[ROWS.columns[::-1]].assign(label=LABELS, more=1.0)
    assert np.array_equal(model.predict_proba(turned), wanted)
    assert np.array_equal(model.predict_proba(ROWS), wanted)
    polars = pytest.importorskip("polars")
    assert np.array_equal(model.predict_proba(polars.from_pandas(turned)), wanted)
    with pytest.warns(UserWarning, match="valid feature names"):
        assert np.array_equal(model.predict_proba(ROWS.to_numpy(dtype=object)), wanted)
    with pytest.raises(ValueError, match="no column 'age' and 1 more"):
        model.predict(ROWS.drop(columns=["age", "vip"]))
    with pytest.raises(ValueError, match="more than one column 'age'"):
        model.predict(pd.concat([ROWS, ROWS[["age"]]], axis=1))
    model.fit(ROWS[["age", "vip"]], LABELS)  # from here on as any fitted model
    with pytest.raises(ValueError, match="same order"):
        model.predict(ROWS[["vip", "age"]])


def test_missing_cells_need_no_option():
    rows = np.random.RandomState(0).normal(size=(200, 4))
    labels = (rows[:, 0] > 0).astype(int)
    clean = CNMClassifier(**QUICK).fit(rows, labels)
    assert np.isfinite(clean.predict_proba(np.where(rows > 1, NAN, rows))).all()
    holes = rows.copy()
    holes[::3, 1], holes[:, 2] = NAN, NAN  # a column of nothing, too
    for given in (holes, holes.astype(np.float32), pd.DataFrame(holes, columns=list("abcd"))):
        model = CNMClassifier(**LONGER).fit(given, labels)
        assert model.score(given, labels) > 0.9
        assert np.isfinite(model.transform(given)).all()


def test_regression_maps_and_continued_trainings_take_frames():
    target = ROWS["vip"].to_numpy() * 2.0 + (ROWS["city"] == "Rome").to_numpy()
    assert CNMRegressor(**LONGER).fit(ROWS[TRAIN], target[TRAIN]).score(ROWS[TEST], target[TEST]) > 0.8
    assert RandomFourierMap(n_components=8, gamma=0.1).fit(ROWS).transform(ROWS).shape == (600, 8)
    with pytest.raises(ValueError, match="columns of numbers"):
        RandomFourierMap(n_components=8, gamma="scale").fit(ROWS)
    first = CNMClassifier(**LONGER).partial_fit(ROWS[:300], LABELS[:300], classes=["leaves", "lost", "stays"])
    assert first.partial_fit(ROWS[300:450], LABELS[300:450]).score(ROWS[TEST], LABELS[TEST]) > 0.8
    warm = CNMClassifier(**LONGER, warm_start=True).fit(ROWS[TRAIN], LABELS[TRAIN])
    assert warm.fit(ROWS[TRAIN], LABELS[TRAIN]).describe()["warm_start"] == "from an earlier model"


def test_frames_go_through_a_search():
    search = GridSearchCV(CNMClassifier(**QUICK), {"n_components": [4, 16]}, cv=2).fit(ROWS, LABELS)
    assert search.best_score_ > 0.6
    found = cnm.tune(ROWS, LABELS, estimator=CNMClassifier(effort="quick", epochs=20), cv=2, max_components=16)
    assert found.best_estimator_.predict(ROWS).shape == (600,)


def test_rows_that_validate_may_have_words(fitted):
    model = CNMClassifier(**LONGER, patience=2)
    model.fit(ROWS[TRAIN], LABELS[TRAIN], eval_set=(ROWS[TEST], LABELS[TEST]))
    assert np.nanmax(model.history_["validation"]) == pytest.approx(model.score(ROWS[TEST], LABELS[TEST]), abs=0.01)


def test_a_model_of_the_command_takes_frames(tmp_path):
    known = ROWS.dropna()[["city", "plan", "age"]].assign(side=LABELS[ROWS.notna().all(axis=1)])
    known.to_csv(tmp_path / "rows.csv", index=False)
    train = [command(), "train", "-q", "-k", "16", "--effort", "quick", "rows.csv", "model.cnm"]
    subprocess.run(train, cwd=tmp_path, check=True)
    line = [command(), "predict", "-q", "-o", "-", "model.cnm", "rows.csv"]
    shown = subprocess.run(line, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.split()
    model = cnm.load(tmp_path / "model.cnm")
    assert list(model.feature_names_in_) == ["city", "plan", "age"]
    assert list(model.predict(known[["age", "side", "plan", "city"]])) == shown
    assert list(model.predict(known.drop(columns="side"))) == shown


def test_words_that_training_never_saw_are_warned_of():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"city": random.choice(["Bonn", "Kiel"], 200), "x": random.normal(size=200)})
    model = CNMRegressor(**QUICK).fit(frame, frame["x"] + (frame["city"] == "Kiel"))
    other = frame.head(6).assign(city=["Bonn", "Rome", "Kiel", "Oslo", "Rome", None])
    with pytest.warns(cnm.CNMWarning, match="^3 words that training never saw, in city: ") as caught:
        model.predict(other)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(frame)
