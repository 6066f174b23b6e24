"""One thread for numpy's matrices, as ``venire stats`` has it: set before anything here loads numpy."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
