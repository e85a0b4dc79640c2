"""The command line: `gridmill`, or `python -m gridmill`."""

import sys

from gridmill._gridmill import command_line


def main() -> None:
    """Runs the command that the arguments of the process name, and ends the process."""
    command_line([sys.executable, "-m", "gridmill"], sys.argv[1:])


if __name__ == "__main__":
    main()
