import pytest

# -- the overview ---------------------------------------------------------------------------


async def test_what_is_possible_now_comes_first(open_channel):
    asked = await open_channel()
    now, explained, later, barred = await asked.says("anna", ".help")
    assert now.startswith("#k (Kniffel) – now: .addme .players")
    assert ".roll" not in now
    assert explained.startswith("Explained: .help rules | boxes | scoring | options | commands")
    assert ".roll" in later
    assert ".ignore" in barred


async def test_it_changes_with_the_phase_and_the_turn(open_channel):
    asked = await open_channel()
    await asked.says("anna", ".addme")
    await asked.says("bert", ".addme", ".start")
    mine = (await asked.says("anna", ".help"))[0]
    theirs = (await asked.says("bert", ".help"))[0]
    assert ".roll" in mine
    assert ".addme" not in mine
    assert ".roll" not in theirs
    assert ".delme" in theirs


async def test_operators_see_their_commands_among_the_others(open_channel):
    asked = await open_channel()
    asked.join("opa")
    asked.session.link().op("opa", "#k")
    lines = await asked.says("opa", ".help")
    assert ".ignore" in lines[0]
    assert not any("With more rights" in line for line in lines)


async def test_in_a_query_the_channel_is_named_and_what_belongs_there(open_channel):
    asked = await open_channel()
    asked.join("anna")
    lines = await asked.asks("anna", "help")
    assert lines[0].startswith("#k (Kniffel) – now: .players")
    assert lines[2] == "Possible now in #k: .addme .addbot .stop .kick"


async def test_who_plays_in_two_channels_names_one(open_channel):
    asked = await open_channel(more="#l")
    asked.join("anna")
    asked.session.link().join("anna", "#l")
    assert await asked.asks("anna", "help") == ["Name the channel behind the command: #k, #l."]
    assert (await asked.asks("anna", "help #l"))[0].startswith("#l (Kniffel)")
    assert (await asked.asks("anna", "help #l rules"))[-1].endswith("[2 more lines: .more #l]")
    assert (await asked.asks("anna", "more #l"))[0].startswith("You have 5 minutes")


async def test_two_games_and_one_of_them(open_channel):
    asked = await open_channel("uno", "kniffel", language="en")
    lines = await asked.says("anna", "!help")
    assert lines[0].startswith("#k (UNO, Kniffel) – now: !unoon")
    lines = await asked.says("anna", "!help Kniffel")
    assert lines[0].startswith("Kniffel is the German Yahtzee")
    assert lines[1].startswith("#k (Kniffel) – now: !addme")
    await asked.says("anna", "!unoon")
    lines = await asked.says("anna", "!help addme")
    assert lines[1].endswith("Not now: Another game is on in this channel.")


@pytest.mark.parametrize(
    ("language", "prefix", "line"),
    [
        ("en", "!", "!help"),
        ("it", "!", "!aiuto"),
        ("de", None, ".hilfe"),
        ("zh_Hant", "!", "!幫助"),
    ],
)
async def test_every_language_has_its_word(open_channel, language, prefix, line):
    asked = await open_channel(language=language, prefix=prefix)
    where = "#k（Kniffel）" if language == "zh_Hant" else "#k (Kniffel)"
    assert (await asked.says("anna", line))[0].startswith(where)


async def test_a_full_width_prefix_is_one_too(open_channel):
    asked = await open_channel(language="zh_Hant", prefix="!")
    assert (await asked.says("anna", "！幫助"))[0].startswith("#k（Kniffel）")


# -- one command ----------------------------------------------------------------------------


async def test_a_command_with_place_reason_and_example(open_channel):
    asked = await open_channel()
    assert await asked.says("anna", ".help .roll") == [
        ".roll [positions …] – Roll all five dice, or those at the positions you name.",
        "In the channel, when it is your turn. Not now: Nobody plays; .addme opens a game.",
        "Example: .roll 1 4 – The first and the fourth die are thrown again.",
    ]


async def test_in_german_all_of_it_is_german(open_channel):
    asked = await open_channel(language="de")
    assert await asked.says("anna", ".hilfe start") == [
        ".start – Beginnt das Spiel mit allen Eingetragenen.",
        "Im Channel, während der Anmeldung. Jetzt nicht: Niemand spielt; .addme eröffnet ein Spiel.",
        "Auch: .los.",
    ]
    assert (await asked.says("anna", ".hilfe addbot"))[-1] == "Beispiel: .addbot leicht"


async def test_where_it_would_be_possible_is_said(open_channel):
    asked = await open_channel()
    await asked.says("anna", ".addme", ".start")
    assert (await asked.says("bert", ".help stats"))[1].endswith("Possible now.")
    assert (await asked.asks("anna", "help roll"))[1].endswith("Possible now in #k.")
    assert (await asked.says("anna", ".help roll"))[1].endswith("Possible now.")


async def test_abbreviations_are_written_as_in_manuals(open_channel):
    asked = await open_channel("uno", language="it")
    lines = await asked.says("anna", "!aiuto iscr")
    assert lines[0].startswith("is(crivi)")
    assert any(line.endswith("is.") for line in lines)


async def test_rights_are_said(open_channel):
    asked = await open_channel()
    lines = await asked.says("anna", ".help unset")
    assert "operators of the channel only" in lines[1]
    assert lines[1].endswith("Not now: Only an operator of the channel may do that.")


# -- topics ---------------------------------------------------------------------------------


async def test_topics_tell_what_is_set(open_channel):
    asked = await open_channel(turn_timeout_s="90", lobby_timeout_s="5m", return_grace_s="60")
    lines = await asked.says("anna", ".help rules") + await asked.says("anna", ".more")
    text = " ".join(lines)
    assert lines[0].startswith("#k Kniffel, Rules: 13 rounds with 5 dice")
    assert "closed after 5 minutes" in text
    assert "You have 90 seconds" in text
    assert "keeps the seat for 1 minute" in text


async def test_options_that_are_on_change_the_scoring(open_channel):
    plain = await open_channel()
    house = await open_channel(joker="on", bonus_once="on", bonus_in_upper="on")
    assert "it counts 0 itself" in (await plain.says("anna", ".help scoring"))[1]
    scoring = (await house.says("anna", ".help scoring"))[1]
    assert "first further Kniffel" in scoring
    assert "any of 1-6 3K" in scoring
    assert "it counts 25, 30 and 40" in scoring
    assert "joker: on" in (await house.says("anna", ".help options"))[0]


async def test_the_first_roll_option_changes_the_clock(open_channel):
    asked = await open_channel(first_roll_only="on", warn_before_s="0")
    await asked.says("anna", ".help rules")
    lines = await asked.says("anna", ".more")
    assert lines[0].startswith("For the first roll of your turn you have 5 minutes")
    assert "reminds" not in lines[0]


async def test_the_english_word_of_a_topic_works_everywhere(open_channel):
    asked = await open_channel(language="de")
    german = await asked.says("anna", ".hilfe felder")
    assert german[0].startswith("#k Kniffel, Felder: 1-6: beliebige Würfel")
    assert await asked.says("anna", ".hilfe boxes") == german


async def test_a_table_is_cut_between_its_rows(open_channel):
    asked = await open_channel()
    lines = await asked.says("anna", ".help boxes")
    assert [line.split(": ")[0] for line in lines[1:]] == ["CH"]


async def test_commands_are_listed_by_place(open_channel):
    asked = await open_channel()
    lines = await asked.says("anna", ".help commands")
    assert lines[0] == (
        "#k Kniffel, Commands: In the channel, while no game runs: .addme [name], "
        ".addbot [strength]"
    )
    rest = [*await asked.says("anna", ".more"), *await asked.says("anna", ".more")]
    assert any(".help [command or topic]" in line for line in rest)
    assert not any(".unset" in line for line in rest)


async def test_of_one_game_only_its_own_commands(open_channel):
    asked = await open_channel("uno", "kniffel", language="en", prefix="!")
    lines = await asked.says("anna", "!help kniffel commands")
    assert lines[0].startswith("#k Kniffel, Commands:")


# -- unknown words --------------------------------------------------------------------------


async def test_an_unknown_word_gets_the_nearest_command_or_topic(open_channel):
    asked = await open_channel()
    assert await asked.says("anna", ".help rol") == [
        "I do not know “rol”. Did you mean .help roll?"
    ]
    assert await asked.says("anna", ".help skoring") == [
        "I do not know “skoring”. Did you mean .help scoring?"
    ]
    assert await asked.says("anna", ".help xyzzy") == ["I do not know “xyzzy”."]
    assert await asked.says("anna", f".help {'w' * 300}") == [f"I do not know “{'w' * 40}”."]


async def test_nothing_is_said_in_the_channel(open_channel):
    asked = await open_channel()
    for line in (".help", ".help rules", ".more", ".help roll", ".help xyzzy"):
        await asked.says("anna", line)
    assert {heard.to for heard in asked.session.heard} == {"anna"}
    assert {heard.kind for heard in asked.session.heard} == {"notice"}
