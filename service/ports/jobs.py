"""The queue of jobs, as far as it concerns those who have none: that it can be missing."""


class JobsUnavailable(Exception):
    """The Redis of the jobs can't be used. The message says where it should be, what is wrong and what to do."""
