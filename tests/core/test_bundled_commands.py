TABLE = """
%network net
%channel #k plugin=kniffel,commands language=de
%op #k opa
"""


async def test_a_command_is_explained_in_the_words_of_its_own_plugin(run_transcript):
    await run_transcript(
        TABLE + "<anna> .hilfe wurf\n> anna notice ^\\.wurf \\[Nummern …\\] – Wirft alle"
    )


async def test_the_list_holds_what_the_asker_may_use(run_transcript):
    await run_transcript(
        TABLE + "<anna> .befehle\n> anna notice kniffel: \\.addme \\.start \\.wurf"
    )


async def test_an_unknown_word_is_named(run_transcript):
    await run_transcript(TABLE + "<anna> .hilfe foo\n> anna notice foo")
