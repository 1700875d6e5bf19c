"""What several files of tests here share."""

from __future__ import annotations

from gamebot.testing import IrcServer, Puppet


def heard(puppet: Puppet, *commands: str) -> list[str]:
    """Take and forget what *puppet* was told; only *commands* if they are given."""
    lines = [line for line in puppet.lines if not commands or line.split()[1] in commands]
    puppet.lines.clear()
    return lines


def errors(puppet: Puppet) -> list[str]:
    """Take the numerics of the errors that *puppet* got, with their parameters."""
    lines = [line.split(" ", 3) for line in puppet.lines if line.split()[1][0] in "45"]
    puppet.lines.clear()
    return [f"{words[1]} {words[3].split(' :')[0]}" for words in lines]


def people(server: IrcServer, *nicks: str, channel: str = "#x") -> list[Puppet]:
    """Put *nicks* into *channel*; the first one has op."""
    puppets = [server.person(nick) for nick in nicks]
    for puppet in puppets:
        puppet.joins(channel)
    for puppet in puppets:
        puppet.lines.clear()
    return puppets
