"""``python -m boxwood.cli``."""

from boxwood.cli.main import main

if __name__ == "__main__":
    main()
