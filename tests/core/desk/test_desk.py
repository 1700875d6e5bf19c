"""People and seats: who sits where after nick changes, returns, logins and other people's nicks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gamebot import LeftHow, Registry
from gamebot.plugin.loading import load_plugins
from gamebot.table.table import Table


@pytest.fixture
def kniffel() -> Registry:
    return load_plugins().registries["kniffel"]


@pytest.fixture
def following(kniffel: Registry) -> Registry:
    """Kniffel at a table where names follow nicks, as other games want it."""
    registry = Registry("kniffel")
    registry.game(type("Following", (type(kniffel.games[0]),), {"names_follow_nicks": True}))
    registry.commands += kniffel.commands
    return registry


def names(session: Any) -> list[str]:
    return session.channel("#k").view("kniffel")["players"]


def table(session: Any) -> Table:
    return session.channel("#k").tables["kniffel"]


async def begin(session: Any, said: Any, *lines: tuple[str, str]) -> None:
    for nick, text in lines:
        await said(session, nick, text)


async def test_a_name_follows_the_nick_unless_it_was_chosen(opened, said, following):
    session = await opened(following)
    await begin(session, said, ("anna", ".addme"), ("bert", ".addme Egon"), ("anna", ".start"))
    session.link().nick("anna", "anja")
    session.link().nick("bert", "bertha")
    await session.settle()
    assert names(session) == ["anja", "Egon"]


async def test_a_name_does_not_follow_to_one_that_is_another_s(opened, said, following):
    session = await opened(following)
    await begin(session, said, ("anna", ".addme"), ("bert", ".addme Egon"), ("anna", ".start"))
    session.link().nick("anna", "EGON")
    await session.settle()
    assert names(session) == ["anna", "Egon"]
    assert (await said(session, "EGON", ".roll"))[0].startswith("#k: anna rolls")


async def test_who_takes_the_nick_of_an_absent_player_keeps_the_own_name(opened, said, following):
    session = await opened(following)
    await begin(session, said, ("anna", ".addme"), ("bert", ".addme"), ("anna", ".start"))
    session.link().quit("anna")
    session.link().nick("bert", "anna")
    await session.settle()
    assert names(session) == ["anna", "bert"]
    assert await said(session, "anna", ".roll") == ["anna: It is not your turn; anna is to act."]


async def test_a_query_from_outside_the_channel_is_no_return(opened, said, kniffel):
    session = await opened(kniffel)
    await begin(session, said, ("anna", ".addme"), ("bert", ".addme"), ("anna", ".start"))
    session.link().leave("anna", "#k", LeftHow.PART)
    await said(session, "anna", "stats #k", query=True)
    assert not table(session).chairs[0].present
    session.link().join("anna", "#k")
    await session.settle()
    assert table(session).chairs[0].present


async def test_results_are_kept_for_the_account_or_the_nick_and_leavers_forfeit(
    opened, said, kniffel, flaky
):
    session = await opened(kniffel)
    session.link().account("anna", "Anna_Account")
    await begin(
        session,
        said,
        ("anna", ".addme Queen"),
        ("bert", ".addme"),
        ("clara", ".addme"),
        ("clara", ".start"),
        ("clara", ".delme"),
    )
    store = flaky(session)
    game = table(session).game
    boxes = [box.value for box in game.cards[0].open]
    for box in boxes:
        for nick in ("anna", "bert"):
            await begin(session, said, (nick, ".roll"), (nick, f".list {box}"))
    results = store.transactions[-1].results
    rows = {row.player: row for row in results}
    assert {row.identity for row in results} == {"a:Anna_Account", "n:bert", "n:clara"}
    assert (rows["clara"].forfeited, rows["clara"].won, rows["clara"].points) == (True, False, 0)
    assert rows["Queen"].points == game.cards[0].total
    assert any(row.won for row in results)
    assert not any(row.with_bots or row.is_bot for row in results)
    assert all(json.loads(row.details) == {} for row in results)


async def test_a_stopped_game_has_no_results(opened, said, kniffel, flaky):
    session = await opened(kniffel)
    store = flaky(session)
    await begin(session, said, ("anna", ".addme"), ("anna", ".start"), ("anna", ".stop"))
    assert not any(transaction.results for transaction in store.transactions)


async def test_an_ended_table_leaves_no_timer(opened, said, kniffel):
    session = await opened(kniffel)
    for end in (".stop", ".delme"):
        await begin(session, said, ("anna", ".addme"), ("anna", ".addbot"), ("anna", ".start"))
        await begin(session, said, ("anna", ".roll"), ("anna", ".list CH"), ("anna", end))
        assert session.channel("#k").timers.rows() == []


async def test_a_full_queue_drops_talk_and_never_what_happens(opened, said, kniffel):
    session = await opened(kniffel)
    await begin(session, said, ("anna", ".addme"))
    session.bot.queue_limit = 5
    for _ in range(50):
        session.link().say("anna", ".players", "#k")
    session.link().quit("anna")
    await session.settle()
    assert session.bot.dropped > 0
    assert session.channel("#k").view("kniffel") == {"phase": "idle"}


async def test_a_name_with_line_breaks_or_nul_leaves_no_such_byte(opened, said, kniffel):
    session = await opened(kniffel)
    for name in ("Evil\rQUIT :pwned", "a\0b", "a\nb", "Evil\r\nJOIN"):
        await said(session, "mallory", f".addme {name}")
    assert session.channel("#k").view("kniffel")["phase"] == "idle"
    for line in session.heard:
        assert not set(line.text) & set("\r\n\0")
