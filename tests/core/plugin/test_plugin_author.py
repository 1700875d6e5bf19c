"""What a plugin costs its author, shown by one that was written for nothing else."""

import ast
from collections import Counter
from pathlib import Path

from gamebot.plugin.loading import load_plugins

DROPIN = Path(__file__).parent / "dropin"


async def test_five_lines_test_a_command_a_nick_change_and_five_minutes(open_room):
    room = await open_room("dropin/tea.py")
    await room.says("anna", "!tea 5m Darjeeling")
    await room.nick("anna", "anja")
    await room.passes("5m")
    assert room.heard("The Darjeeling is ready!")


async def test_state_and_timer_survive_a_restart(open_room):
    room = await open_room("dropin/tea.py")
    await room.says("anna", "!tea 5m")
    await room.restarts()
    await room.says("bert", "!tea 1h")
    assert room.heard("bert: cup 2")
    await room.passes("1h")
    assert room.lines == ["The tea is ready!"]


async def test_help_and_usage_come_from_the_signature(open_room):
    room = await open_room("dropin/tea.py")
    await room.says("anna", "!tea soon")
    assert room.lines == ["“soon” is not a time; write 90s, 5m or 1h. Write: !tea steeping [kind]"]


async def test_it_is_found_in_a_drop_in_folder():
    loaded = load_plugins([DROPIN])
    assert loaded.registries["tea"].commands[0].help == "Remind you when your tea has steeped."
    assert not loaded.failures


def test_the_budgets_hold():
    """Four lines for a command, two for state, two for a timer, five for a test."""
    lines = (DROPIN / "tea.py").read_text().splitlines()
    cost = Counter(line.rpartition("# ")[2] for line in lines if "  # " in line)
    assert cost["command"] <= 4
    assert cost["state"] <= 2
    assert cost["timer"] <= 2
    tests = ast.parse(Path(__file__).read_text()).body
    shortest = next(node for node in tests if getattr(node, "name", "").startswith("test_five"))
    assert shortest.end_lineno - shortest.lineno <= 5
