"""The paper's experiments, run again with the command `cnm` by scripts/paper."""
