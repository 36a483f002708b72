"""The paper's experiments, run again with the command `cnm`. Start with scripts/paper; results: README.md."""
