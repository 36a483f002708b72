"""The command that comes with the package."""

import subprocess
import sysconfig
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import cnm


@pytest.fixture(scope="module")
def command():
    """The command's path; without the distribution (a bare folder of modules) there is none."""
    try:
        metadata.distribution("cnm-learn")
    except metadata.PackageNotFoundError:
        pytest.skip("cnm-learn is not installed")
    return Path(sysconfig.get_path("scripts")) / "cnm"


def test_it_is_of_the_same_version(command):
    told = subprocess.run([command, "version"], check=True, capture_output=True, text=True).stdout
    assert told.split()[:2] == ["cnm", cnm.__version__]
    assert metadata.version("cnm-learn") == cnm.__version__


def test_its_models_predict_the_same_here(command, tmp_path):
    angles = np.linspace(0, 20, 300)
    radius = np.where(np.arange(300) % 2 == 0, 1.0, 2.0)
    X = np.column_stack([radius * np.cos(angles), radius * np.sin(angles)]).astype(np.float32)
    rows, model, labels = tmp_path / "rows.csv", tmp_path / "model.cnm", tmp_path / "labels.txt"
    with rows.open("w") as out:
        out.write("a,b,ring\n")
        out.writelines(f"{a:.9g},{b:.9g},{'in' if r == 1.0 else 'out'}\n" for (a, b), r in zip(X, radius, strict=True))
    train = [command, "train", "--effort", "quick", "-k", "8", "--epochs", "60", rows, model]
    subprocess.run(train, check=True, capture_output=True)
    subprocess.run([command, "predict", "-o", labels, model, rows], check=True, capture_output=True)
    assert cnm.load(model).predict(X).tolist() == labels.read_text().split()


def test_its_models_predict_frames_of_the_same_file(command, tmp_path):
    """Times as text, near each other, so that the model keeps them less a base; a name that comes twice."""
    pandas = pytest.importorskip("pandas")
    rows, model, labels = tmp_path / "rows.csv", tmp_path / "model.cnm", tmp_path / "labels.txt"
    with rows.open("w") as out:
        out.write("when,size,size,state\n")
        for i in range(200):
            time = f"2024-03-{1 + i % 28:02d}T{i % 24:02d}:{i % 60:02d}:07Z"
            out.write(f"{time},{i * 7 % 100},{i * 13 % 89},{'late' if i % 24 > 11 else 'early'}\n")
    train = [command, "train", "--effort", "quick", "-k", "8", "--epochs", "20", "--estimate", "no", rows, model]
    subprocess.run(train, check=True, capture_output=True)
    subprocess.run([command, "predict", "-o", labels, model, rows], check=True, capture_output=True)
    frame = pandas.read_csv(rows)
    assert cnm.load(model).predict(frame).tolist() == labels.read_text().split()
