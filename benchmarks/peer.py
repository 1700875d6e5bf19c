"""Describe gamebot for a harness that drives IRC bots: print one JSON object.

    python benchmarks/peer.py > gamebot.json

The bot answers `!bping TOKEN` with `pong TOKEN` and `!burst` with twenty lines. `files` opens the
output limit and the bound on commands; `throttled_files` leaves both as they are by default.
"""

from __future__ import annotations

import json
import sys

PLUGIN = '''\
from gamebot import Context, Registry, hookimpl

def bping(ctx: Context, token: str = "") -> None:
    """Answer."""
    ctx.say(f"pong {{token}}")

def burst(ctx: Context) -> None:
    """Say twenty lines."""
    for number in range(20):
        ctx.say(f"line {{number}}")

@hookimpl
def gamebot_register(registry: Registry) -> None:
    registry.command("bping", bping, words="!bping")
    registry.command("burst", burst, words="!burst")
'''

CONFIG = """\
database = "bot.sqlite3"
log_level = "error"
{limits}
[plugins]
folders = ["plugins"]
disabled = ["kniffel", "uno"]
[defaults]
prefix = "!"
plugins = ["bench"]
[networks.bench]
servers = [{{{{host = "{{host}}", port = {{port}}, tls = false}}}}]
nick = "{{nick}}"
channels = {{channels_json}}
{flood}
"""


def config(*, limited: bool) -> str:
    """Write the configuration, with the default limits or without."""
    return CONFIG.format(
        limits="" if limited else "[limits]\nburst = 0",
        flood="" if limited else "flood_burst = 100\nflood_rate = 1000.0",
    )


def describe() -> dict[str, object]:
    """Return the description."""
    plugin = {"plugins/bench.py": PLUGIN}
    return {
        "name": "gamebot",
        "start": [sys.executable, "-m", "gamebot", "run", "{dir}/bot.toml"],
        "files": {"bot.toml": config(limited=False), **plugin},
        "throttled_files": {"bot.toml": config(limited=True), **plugin},
        "command": "!bping {tok}",
        "expect": "pong {tok}",
        "burst": "!burst",
        "burst_expect": "line \\d+",
        "burst_n": 20,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(describe(), indent=1) + "\n")
