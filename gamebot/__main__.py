"""`python -m gamebot`."""

from gamebot.cli import main

if __name__ == "__main__":
    main(prog_name="gamebot")
