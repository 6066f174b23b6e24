"""``python -m venire``. The console script is safer in a foreign checkout: ``-m`` puts the current folder on the path."""

import sys

from venire.cli import main

if __name__ == "__main__":
    sys.exit(main())
