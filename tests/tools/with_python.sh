#!/bin/sh
# with_python.sh SCRIPT ARGUMENT...: runs a Python script in .venv, or prints why not.
# scripts/bootstrap --tests makes .venv.
set -eu
python=$(dirname "$0")/../../.venv/bin/python
if ! "$python" -c 'import numpy, sklearn, safetensors' 2>/dev/null; then
    echo "skipped: no .venv with numpy, scikit-learn and safetensors"
    exit 77
fi
exec "$python" "$@"
