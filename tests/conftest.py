"""What every test can use: the mark of a proven rule, and its report at the end of the run."""

pytest_plugins = ("pytester", "tests.rulecoverage")
