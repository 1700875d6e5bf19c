from __future__ import annotations

from functools import cache

import pytest

from gamebot.plugin.loading import load_plugins
from gamebot.plugin.registry import Registry
from gamebot.testing.transcript import ExpectationError, Run, TranscriptError

HEAD = "%network n\n%channel #k plugin=kniffel language=de prefix=.\n"


@cache
def registries() -> dict[str, Registry]:
    return load_plugins().registries


async def run(text: str) -> Run:
    running = Run(registries())
    await running.run(text)
    return running


@pytest.mark.parametrize(
    "line",
    [
        "what is this",
        "#no comment",
        "%what #k",
        "%seed",
        "%op #k",
        "%op #k anna bert",
        "%op m/#k anna",
        "%account anna@m an_account",
        "%account anna two accounts",
        "%starter #k anna bert",
        "%op",
        "%account anna",
        "%account",
        "%certificate anna",
        "%certificate anna abc",
        "%host anna",
        "%host anna nohost",
        "%dice",
        "%dice #k",
        "%dice #k 1 7",
        "%dice #k 1 x",
        "%dice #k 0",
        "%dice #nowhere 1",
        "%hand #k anna R5",
        "%hand #k anna",
        "%deck #k R5",
        "%owner",
        "%channel",
        "%channel k plugin=kniffel",
        "%channel #l plugin=nothing",
        "%channel #l plugin=kniffel language=xx",
        "%channel #l plugin=kniffel nonsense=1",
        "%channel #l plugin=kniffel joker=maybe",
        "%channel #l plugin=kniffel turn_timeout_s=soon",
        "%channel #l plugin=kniffel rules=jocker",
        "%channel #l plugin",
        "%channel #k plugin=kniffel",
        "%network",
        "%network m casemapping=klingon",
        "%network m speed=9",
        "%network m accounts=maybe",
        "%network n",
        "@ #nowhere",
        "< > hi",
        "+5",
        "+5x",
        "+ 5s",
        "+-5s",
        "* anna",
        "* anna dances",
        "* anna nick",
        "* anna nick two words",
        "* anna nick Bert",
        "* anna nick BOT",
        "* bot nick robot",
        "* bot part #k",
        "* anna part m/#k",
        "* anna@m join #k",
        "<anna@m> hi",
        "* anna kick",
        "* nowhere disconnect",
        "> #k",
        "> anna hello",
        "> anna privmsg hello",
        "> #k (",
        "> #nowhere x",
        "!> #nowhere x",
        "!> m/#k x",
        "!> anna@m notice x",
        ">#k x",
        "!> #k (",
        "= kniffel #k turn",
        "= kniffel #k turn == anna",
        "= kniffel #k turn ~ 1",
        "= kniffel #nowhere turn == 1",
        "= uno2 #k turn == 1",
        "= kniffel turn == 1",
    ],
)
async def test_a_line_that_cannot_be_read_is_named(line: str):
    with pytest.raises(TranscriptError, match="line 5:") as raised:
        await run(f"{HEAD}\n<bert> hi\n<anna> hello\n{line}\n".replace("\n\n", "\n"))
    assert raised.value.line == 5


@pytest.mark.parametrize("text", ["", "\n\n", "<anna> hi\n", "%network n\n", "%network n\n<a> hi"])
async def test_a_network_and_a_channel_are_needed(text: str):
    with pytest.raises(TranscriptError):
        await run(text)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("> #k nothing like it", "expected 'nothing like it' to #k; there was:\n    #k: anna"),
        ("> bert notice .", "there was: nothing"),
        ("!> #k eröffnet", "did not expect 'eröffnet'"),
        ("!> * .", "did not expect"),
        ('= kniffel #k players == ["bert"]', 'players is ["anna"], expected == ["bert"]'),
        ("= kniffel #k deadline == 5", "deadline is null"),
        ("= kniffel #k deadline >= 5", "deadline is null"),
        ("= kniffel #k no.such.path == 1", "no.such.path is null"),
        ('= kniffel #k phase != "lobby"', "expected !="),
    ],
)
async def test_an_expectation_that_fails_says_what_there_was(line: str, why: str):
    with pytest.raises(ExpectationError) as raised:
        await run(f"{HEAD}<anna> .addme\n{line}\n")
    assert raised.value.line == 4
    assert why in raised.value.why


async def test_expectations_look_at_the_lines_since_the_last_input():
    await run(f"{HEAD}<anna> .addme\n> #k anna\n> #k anna\n<bert> hi\n!> * .\n")
    with pytest.raises(ExpectationError, match="line 5"):
        await run(f"{HEAD}<anna> .addme\n<bert> hi\n> #k anna\n")


async def test_a_player_s_line_may_hold_other_line_breaks():
    running = await run(f'{HEAD}<anna> .addme a\u2028b\x85c\x0bd\r\n= kniffel #k phase == "idle"\n')
    (record,) = [record for record in running.records if record.kind == "input"]
    assert record.text == ".addme a\u2028b\x85c\x0bd"


async def test_dice_for_a_running_game_outlive_a_refusal_and_a_restart():
    await run(
        f"{HEAD}<anna> .addme\n<anna> .start\n%dice #k 1 2 3 4 5\n<anna> .liste\n<anna> .wurf 1\n"
        "* bot restart\n<anna> .wurf\n= kniffel #k dice == [1, 2, 3, 4, 5]\n"
    )


async def test_a_nick_is_free_again_once_its_holder_is_gone_and_may_change_its_case():
    await run(f"{HEAD}<anna> hi\n<bert> hi\n* bert quit\n* anna nick bert\n* bert nick BERT\n")


async def test_the_network_of_an_event_is_that_of_its_channel():
    beta = "%network m\n%channel m/#k plugin=kniffel\n@ m/#k\n<bert> .addme\n<zoe> hi\n@ #k\n"
    for event in ("* bert part m/#k", "* bert@m part #k gone", "* zoe kick bert m/#k"):
        await run(f'{HEAD}{beta}<bert> .addme\n{event}\n= kniffel m/#k phase == "idle"\n')
    with pytest.raises(TranscriptError, match="line 9: bert is on n"):
        await run(f"{HEAD}{beta}* bert@n part m/#k\n")


async def test_a_channel_of_two_games_may_have_dice_and_cards_fixed():
    head = "%network n\n%channel #k plugin=kniffel,uno\n"
    await run(
        f"{head}%dice #k 1 2 3 4 5\n%deck #k R9\n<anna> .addme\n<anna> .start\n<anna> .roll\n"
        "= kniffel #k dice == [1, 2, 3, 4, 5]\n"
    )
    with pytest.raises(TranscriptError, match="line 3:"):
        await run(f"{head}%deck #k R99\n")


async def test_a_plugin_without_a_game_shows_no_hand():
    await run(f"{HEAD}= help #k hand.anna == null\n")


async def test_what_a_pasted_log_brings_along_is_understood():
    """Status symbols before nicks, the bot's own lines, the bare sign of an empty comment."""
    await run(
        "\ufeff" + HEAD.replace("\n", "\r\n") + "#\r\n<@anna> .addme\r\n> #k anna eröffnet\r\n"
        '<bot> .addme\r\n!> * .\r\n= kniffel #k players == ["anna"]\r\n'
    )


async def test_a_carriage_return_within_a_line_is_part_of_it():
    running = await run(f"{HEAD}<anna> .addme Evil\rQUIT :pwned\n> * zu viel\n")
    (record,) = [record for record in running.records if record.kind == "input"]
    assert record.text == ".addme Evil\rQUIT :pwned"
