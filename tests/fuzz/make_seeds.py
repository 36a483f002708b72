#!/usr/bin/env python3
"""make_seeds.py CNM: writes tests/fuzz/seeds anew, small files of every kind, for the fuzzers.

Readers of rows take two bytes before the file that say how to read (fuzz_rows.c), gzip takes one
(fuzz_bytes.c), fields a kind of model and changes to it (fuzz_fields.c), checkpoint a training and
changes to its state, cells the way a column is written (fuzz_cells.c). CNM is the command, for
models.
"""

import gzip
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

SEEDS = pathlib.Path(__file__).parent / "seeds"
WAYS = [bytes([how, more]) for how, more in ((0, 1), (2, 0), (17, 129), (88, 17), (6, 113), (43, 2))]

TEXTS = {
    "libsvm": [
        "+1 1:0.5 3:-2e-3\n-1 2:1e5\n+1\n",
        "0 0:1 5:2 # remark\n1 3:4.25\n2 1:-0\n\n",
        "word 1:1\nother 2:2 4:nan\n1 1:? 2:3\n",
        "2.5 4294967294:1\r\n3.5 1:1e-320 2:1e30\r\n",
        "1 qid:3 1:2\n-1 qid:4 1:3\n",
    ],
    "csv": [
        "a,b,label\n1,2,x\n3,4,y\n5,1700000000.5,x\n",
        "1;2;0.5\n3;?;1\n;NA;nan\n",
        '"a\nb","c ""d""",label\n1,2,"x, y"\n3,4,y\n',
        "a\tb\tc\n1\t2\t3\n",
        "\ufeff1 2 3\n4 5 6\n",
        "# remark\n1|2|3\n1e999|-1e-400|+.5e+1\n",
        "label,b,3\nx,1,2\ny,3,4,5\n",
        ",w,t,y\nr,p,True,1.5\ns,q,false,2\nt,q,TRUE,3\nu,p,False,?\n",
        "0,1,2,kind\n1.5,2,0,x\n3,4,1,z\n",
    ],
    "arff": [
        "@relation r\n@attribute a numeric\n@attribute k {x, 'y z'}\n@data\n1,x\n2.5,'y z'\n",
        "% remark\n@RELATION r\n@ATTRIBUTE a {1, 3}\n@attribute k {x, y}\n@outputs k\n@data\n1,x\n{1 y}\n?,x\n",
        "@relation 'a b'\n@attribute 'c d' real [0, 10]\n@attribute e integer\n@inputs e\n@data\n{0 3, 1 4}\n{}\n",
        "@relation r\n@attribute s string\n@attribute d date 'yyyy'\n@data\n'x','y'\n",
    ],
    "labels": ["1\n2\n-1\n", 'yes\n"no, or"\nyes\n\n', "0.5\r\n1e3\r\n", "\ufeffa\nb"],
}

OPTIONS = [
    "method=rff\nfeatures=64\ngamma=0.5\n",
    "projection=circulant\nlambda=1e-4\ntheta-penalty=l1:0.1\nepochs=3\nrows=5:10\n",
    "class-weight=in:2,a:b:0.5\nclass-weight=balanced\nclass-weight=-1:2,0.5:1e3\n",
    "seed=18446744073709551615\nshuffle=7\nthreads=all\nseparator=tab\nheader=no\n",
    "recipe=alternating\niterations=10\ngamma=paper\nlabel-column=first\npositive=1,2\n",
    "gama=1\nfeatures=0\nfeatures=1e3\nvalidation=0.95\ncv=5\nrows=9:2\n=\n\n",
]

# The first byte of a cell is the number of the way, a part of 60, that it is written in.
ENCODERS = [
    '{"columns": [{}]}',
    '{"columns": [{"name": "id", "use": "row id"}, {"name": "age", "indicator": 1}]}',
    '{"columns": [{"name": "city", "kind": "words", "words": ["Bonn", "Kiel"], "other": 1, "indicator": 1},\n'
    '{"name": "price", "base": "1700000000", "decimal": ",", "thousands": ".", "units": 1},\n'
    '{"name": "day", "kind": "time", "order": 1}, {"name": "note", "kind": "words", "use": "all different"}]}',
    '{"columns": [{"kind": "words", "words": ["\\\\", "\\n", "\\u00e4", "\\ud83d\\ude00"]}, {"use": "empty"}, '
    '{"use": "constant"}]}',
    '{"columns": [{"kind": "words", "words": ["b", "a"]}]}',
    '{"columns": [{"base": "1e999"}]}',
]

CELLS = [
    (0, "2023-10-13T23:59:59.5+05:30"),
    (0, "Fri, 2023-Oct-13 6:00 PM"),
    (5, "29.02.2024"),
    (5, "13OCT23 10:00Z"),
    (10, "Oct 13, 2023, 11:59:60 p.m. GMT"),
    (15, "23:59"),
    (36, "-US$1,234,567.89e-3"),
    (36, "\u20b912,34,567 INR"),
    (43, "1.459,50 \u20ac"),
    (48, "\u22121\u202f234,5\u00a0%"),
    (51, "CHF 1\u2019234'567.-"),
    (1, "inf"),
    (28, "1_000_000"),
    (2, "#N/A N/A"),
    (2, "tRuE"),
]


def npy(kind, shape, values, version=1, fortran=False):
    header = repr({"descr": kind, "fortran_order": fortran, "shape": shape}).encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header) + 1)
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + b"\n" + values


def idx(code, shape, values):
    return bytes([0, 0, code, len(shape)]) + b"".join(struct.pack(">I", n) for n in shape) + values


ARRAYS = {
    "npy": [
        npy("<f4", (2, 3), struct.pack("<6f", 1, 2, 3, -4, 5e9, 0)),
        npy("<f8", (3, 2), struct.pack("<6d", 1.7e9, 2, 1.7e9 + 1, 4, 1.7e9 + 2, 6), version=2),
        npy(">i2", (3, 3), struct.pack(">9h", *range(9)), fortran=True),
        npy("|u1", (4,), bytes([0, 1, 255, 3])),
        npy("<i8", (2, 2), struct.pack("<4q", 1, -1, 2**62, 0), version=3),
        npy("|b1", (2, 2), bytes([0, 1, 1, 0])),
    ],
    "idx": [
        idx(8, (2, 2, 2), bytes(range(8))),
        idx(9, (4,), bytes([255, 0, 1, 2])),
        idx(11, (2, 2), struct.pack(">4h", -1, 2, 3, 4)),
        idx(12, (2, 2), struct.pack(">4i", -1, 2, 3, 4)),
        idx(13, (2, 3), struct.pack(">6f", 1, 2, 3, 4, 5, 6)),
        idx(14, (1, 2), struct.pack(">2d", 1e300, 2)),
    ],
}


def write(target, files):
    folder = SEEDS / target
    folder.mkdir(parents=True)
    for number, content in enumerate(files):
        (folder / f"{number:02}").write_bytes(content)


def model_files(command):
    """Small models of every method, projection and task."""
    rng = random.Random(1)
    rows = [(rng.uniform(-1, 1), rng.uniform(-1, 1)) for _ in range(60)]
    lines = "".join(f"{x:.3f},{y:.3f},{'in' if x * x + y * y < 0.5 else 'out'}\n" for x, y in rows)
    numbers = "".join(f"{x:.3f},{y:.3f},{x * y:.3f}\n" for x, y in rows)
    runs = [
        ["-k", "3", "--epochs", "1"],
        ["-k", "3", "--epochs", "1", "-p", "circulant", "--dtype", "f32"],
        ["-k", "3", "--epochs", "1", "-p", "circulant-diagonal", "--dtype", "f16"],
        ["-m", "rff", "-k", "2", "--scale", "asinh", "--activation", "relu"],
        ["-m", "kernel-approximation", "-k", "2", "--task", "map", "--map-steps", "2"],
        ["-m", "linear", "--task", "regress"],
    ]
    with tempfile.TemporaryDirectory() as folder:
        model, data = pathlib.Path(folder, "m.cnm"), pathlib.Path(folder, "d.csv")
        for run in runs:
            data.write_text("x,y,label\n" + (numbers if "regress" in run else lines))
            subprocess.run([command, "train", "-q", *run, data, model], check=True)
            yield model.read_bytes()


def main():
    shutil.rmtree(SEEDS, ignore_errors=True)
    for target in ("libsvm", "csv", "arff"):
        texts = [text.encode() for text in TEXTS[target]]
        write(target, [way + text for text in texts for way in WAYS[:3]] + [way + texts[0] for way in WAYS[3:]])
    for target, files in ARRAYS.items():
        write(target, [way + file for file in files for way in WAYS[:2]])
    zipped = [gzip.compress(text.encode(), mtime=0) for text in TEXTS["csv"][:3]]
    stored = gzip.compress(b"1,2,3\n" * 9, 0, mtime=0)
    padded = zipped[0] + b"\0" * 8
    write(
        "gzip",
        [bytes([n]) + z for n, z in enumerate([*zipped, stored, padded, zipped[0] + stored, zipped[1][:-3], b"plain"])],
    )
    write("labels", [text.encode() for text in TEXTS["labels"]] + [ARRAYS["npy"][3], ARRAYS["idx"][1]])
    encoded = (SEEDS.parent.parent / "golden" / "2" / "encoder.cnm").read_bytes()
    write("model", [*model_files(sys.argv[1]), encoded])
    rng = random.Random(2)
    write("fields", [bytes([kind, 1 + kind % 4]) + rng.randbytes(12) for kind in range(19)])
    write("checkpoint", [bytes([kind % 6, kind % 3, 1 + kind % 4]) + rng.randbytes(12) for kind in range(18)])
    write("options", [text.encode() for text in OPTIONS])
    write("encoder", [text.encode() for text in ENCODERS])
    write("cells", [bytes([way]) + text.encode() for way, text in CELLS])


if __name__ == "__main__":
    main()
