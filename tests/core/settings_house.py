"""What several files of tests here share."""

from house import House

from gamebot.table.table import Phase


async def start_game(house: House) -> None:
    await house.says("anna", ".addme")
    await house.says("anna", ".start")
    assert house.channel.tables["kniffel"].phase is Phase.PLAYING
