"""Print the part of the lock that the bot needs at run time: pinned, with hashes.

Runs where the whole lock is installed; what depends on what is read from there.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]


def runtime_lock(root: Path) -> str:
    """Return the entries of `requirements.lock` that the workspace's distributions need."""
    projects = [
        tomllib.loads(path.read_text("utf-8"))["project"]
        for path in (root / "pyproject.toml", *sorted(root.glob("plugins/*/pyproject.toml")))
    ]
    own = {project["name"] for project in projects}
    needed: set[str] = set()
    for project in projects:
        for line in project["dependencies"]:
            if Requirement(line).name not in own:
                needed |= set(closure(Requirement(line)))
    entries = re.split(r"^(?=\w)", (root / "requirements.lock").read_text("utf-8"), flags=re.M)
    return "".join(entry for entry in entries if re.split(r"\[|==", entry)[0] in needed)


def closure(requirement: Requirement) -> Iterator[str]:
    """Yield the name of *requirement* and of everything that it needs."""
    yield canonicalize_name(requirement.name)
    for line in requires(requirement.name) or ():
        further = Requirement(line)
        extras = requirement.extras or {""}
        if further.marker is None or any(further.marker.evaluate({"extra": e}) for e in extras):
            yield from closure(further)


if __name__ == "__main__":
    sys.stdout.write(runtime_lock(ROOT))
