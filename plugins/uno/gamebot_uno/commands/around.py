"""Commands around a game: who leads it, rules, rankings, everybody's own likings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

from gamebot import (
    Context,
    Left,
    Phase,
    Refused,
    Registry,
    Rest,
    Rights,
    Urgency,
    When,
    Where,
    private_lines,
    seating,
)
from gamebot_uno.engine import seat as engine
from gamebot_uno.engine.reasons import IllegalMove
from gamebot_uno.engine.rules import PRESETS, RulesError
from gamebot_uno.lead import hand_lead, may_lead, need_lead, pass_on
from gamebot_uno.rules_text import FIELDS, differences, parse_rules, render_rules, render_value
from gamebot_uno.saying import show_hand, status
from gamebot_uno.texts import refused, rule_faults

RANKS = 5
MOST_PINGED = 20
MOST_LIKINGS = 200
"""Players whose likings a channel remembers; the oldest are forgotten."""
WAIT_S = 30.0
"""How much longer `!unowait` keeps the enrolment open, seconds."""


def close_game(ctx: Context) -> None:
    """End the game, or the enrolment; for whoever leads it and for operators."""
    need_lead(ctx)
    ctx.desk.stop()
    ctx.say(ctx.t("{name} ended the game.", name=ctx.nick), keep=True)


def kick(ctx: Context, nick: str) -> None:
    """Take a player out of the game; for whoever leads it and for operators."""
    need_lead(ctx)
    chair = ctx.desk.chair_named(nick)
    in_lobby = ctx.desk.phase is Phase.LOBBY
    ctx.desk.take_out(chair)
    if in_lobby:
        ctx.desk.kind.lobby_left(ctx, chair)


def replace(ctx: Context, old: str, new: str) -> None:
    """Hand a player's cards to somebody else."""
    desk = ctx.desk
    chair = desk.chair_named(old)
    before = chair.name
    seating.replace(desk, chair, seating.member(desk, new))
    ctx.say(ctx.t("{new} plays on for {old}.", new=chair.name, old=before))
    if desk.phase is Phase.PLAYING:
        if desk.game.to_act == chair.seat:
            ctx.say(status(ctx, desk.game), urgency=Urgency.TURN)
        show_hand(ctx, desk.game, chair)


def transfer(ctx: Context, nick: str) -> None:
    """Let somebody else lead the game; for whoever leads it and for operators."""
    need_lead(ctx)
    person = seating.member(ctx.desk, nick)
    hand_lead(ctx, person)
    ctx.say(ctx.t("{name} leads the game now.", name=person.nick))


def starter_left(ctx: Context, event: Left) -> None:
    """Pass the lead on when whoever opened the game is gone."""
    pass_on(ctx, event.person)


def wait(ctx: Context) -> None:
    """Keep the enrolment open for half a minute more."""
    if not may_lead(ctx) and ctx.desk.chair_of(ctx.person) is None:
        raise Refused("You do not play here.")
    left = (ctx.desk.left_s("table.lobby") or 0.0) + WAIT_S
    if left > ctx.settings.lobby_timeout_s + WAIT_S:
        raise Refused("The enrolment is open long enough: {n} s.", n=round(left - WAIT_S))
    ctx.arm("table.lobby", left)
    ctx.say(ctx.n("{n} second left to join.", "{n} seconds left to join.", round(left)))


def hint(ctx: Context, nick: str) -> None:
    """Fine a player who gave a hint."""
    chair = ctx.desk.chair_named(nick)
    try:
        ctx.desk.publish(ctx.desk.game.fine_hint(engine.Seat(chair.seat)))
    except IllegalMove as error:
        raise refused(ctx, error) from error


# -- rules ----------------------------------------------------------------------------------


def rules(ctx: Context, text: Rest | None = None) -> None:
    """Show the rules, one field, or another rule set."""
    now = ctx.settings.parsed
    if text is None:
        ctx.reply(
            ctx.t("Rules: {rules}. Sets: {sets}.", rules=render_rules(now), sets=list(PRESETS))
        )
    elif text.casefold() in FIELDS:
        name = text.casefold()
        ctx.reply(f"{name} = {render_value(now, name)}")
    else:
        _compare(ctx, text)


def _compare(ctx: Context, text: str) -> None:
    """Check rules that somebody typed, and say how they differ from the channel's."""
    now = ctx.settings.parsed
    try:
        wanted = parse_rules(text, now)
    except RulesError as error:
        faults = ctx.translator.clauses(rule_faults(error))
        raise Refused("That is no rule: {faults}.", faults=faults) from error
    differing = differences(wanted, now)
    if not differing:
        ctx.reply(ctx.t("Those are the rules here."))
        return
    listed = " ".join(f"{name}={value}" for name, value in differing.items())
    if not ctx.is_op:
        ctx.reply(ctx.t("Different from here: {fields}.", fields=listed), urgency=Urgency.LISTING)
        return
    ctx.change_setting("rules", render_rules(wanted))
    when = (
        ctx.t("from the next game on") if ctx.desk.phase is Phase.PLAYING else ctx.t("from now on")
    )
    ctx.say(ctx.t("Rules {when}: {rules}.", when=when, rules=render_rules(wanted)))


# -- rankings -------------------------------------------------------------------------------


async def top(ctx: Context, places: int = RANKS) -> None:
    """Show who won most here this month, and of all time."""
    places = max(1, min(places, 10))
    now = datetime.fromtimestamp(ctx.now(), UTC)
    month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0).timestamp()
    lines = []
    for since, text in (
        (month, "This month (won/played, points): {ranks}"),
        (0.0, "All time (won/played, points): {ranks}"),
    ):
        rows = await ctx.ranking(since=since, limit=places)
        if rows:
            ranks = ctx.translator.clauses(
                ctx.translator.listed((f"{n}. {row.player} {row.wins}/{row.games}", row.points))
                for n, row in enumerate(rows, 1)
            )
            lines.append(ctx.t(text, ranks=ranks))
    if not lines:
        raise Refused("No game between people was finished here yet.")
    for line in lines:
        ctx.reply(line, urgency=Urgency.LISTING)


async def stats(ctx: Context, nick: str = "") -> None:
    """Show what a player has won here, games with bot players apart."""
    wanted = ctx.fold(nick or ctx.nick)
    people = {ctx.fold(person.nick): person for person in ctx.members}
    person = people.get(wanted, None if nick else ctx.person)
    identity = ctx.identity(person) if person else ""
    parts = []
    for with_bots, one, many in (
        (
            False,
            "{n} game, {wins} won, {points} points, best {best}",
            "{n} games, {wins} won, {points} points, best {best}",
        ),
        (True, "with bots: {n} game, {wins} won", "with bots: {n} games, {wins} won"),
    ):
        rows = await ctx.ranking(with_bots=with_bots, limit=10_000)
        row = next((r for r in rows if r.identity == identity), None) or next(
            (r for r in rows if ctx.fold(r.player) == wanted), None
        )
        if row:
            parts.append(
                ctx.n(one, many, row.games, wins=row.wins, points=row.points, best=row.best)
            )
    if not parts:
        raise Refused("{name} has finished no game here yet.", name=nick or ctx.nick)
    texts = ctx.translator
    ctx.reply(texts.headed(nick or ctx.nick, texts.clauses(parts)), urgency=Urgency.LISTING)


# -- everybody's own likings ----------------------------------------------------------------


def notify(ctx: Context) -> None:
    """Be told when the next game opens; a second time, no more."""
    assert ctx.person is not None  # noqa: S101  somebody gave the command
    waiting: list[str] = ctx.state.get("notify", [])
    who = ctx.identity(ctx.person)
    if who in waiting:
        waiting.remove(who)
        ctx.tell(ctx.t("I will not tell you any more."))
    elif len(waiting) >= MOST_PINGED:
        raise Refused("Too many wait for the next game already.")
    else:
        waiting.append(who)
        ctx.tell(ctx.t("I will tell you when the next game opens."))
    ctx.state["notify"] = waiting


def ping(ctx: Context) -> None:
    """Tell those who asked for it that a game opens."""
    here = {ctx.identity(person): person.nick for person in ctx.members}
    waiting: list[str] = ctx.state.get("notify", [])
    called = [here[who] for who in waiting if who in here]
    if called:
        ctx.say(ctx.t("{names}: a game opens.", names=called))
        ctx.state["notify"] = [who for who in waiting if who not in here]


def colors(ctx: Context, value: Literal["on", "off"]) -> None:
    """Have your own cards in colour, or not."""
    mode = str(ctx.settings.colors) if value == "on" else "off"
    _prefer(ctx, "colors", "foreground" if mode == "off" and value == "on" else mode)


def sort(ctx: Context, order: Literal["color", "rank"]) -> None:
    """Have your own cards sorted by colour or by value."""
    _prefer(ctx, "sort", order)


def hand(ctx: Context, way: Literal["notice", "msg"]) -> None:
    """Get your cards and all else that is for you alone as notices, or as messages."""
    assert ctx.person is not None  # noqa: S101  somebody gave the command
    private_lines.prefer(ctx, ctx.person, way)
    chair = ctx.desk.chair_of(ctx.person)
    if chair is not None and ctx.desk.phase is Phase.PLAYING:
        show_hand(ctx, ctx.desk.game, chair)
    else:
        ctx.tell(ctx.t("Noted."))


def _prefer(ctx: Context, key: str, value: str) -> None:
    chair = ctx.desk.seated(ctx.person)
    likes: dict[str, dict[str, str]] = ctx.state.get("preferences", {})
    who = ctx.identity(chair)
    likes[who] = {**likes.pop(who, {}), key: value}
    ctx.state["preferences"] = dict(list(likes.items())[-MOST_LIKINGS:])
    if ctx.desk.phase is Phase.PLAYING:
        show_hand(ctx, ctx.desk.game, chair)
    else:
        ctx.tell(ctx.t("Noted."))


def register(registry: Registry) -> None:
    """Register these commands."""
    here = Where.CHANNEL
    add = registry.command
    add("close", close_game, words="!unooff", also="!stop", where=here)
    add("kick", kick, words="!unokick", also="!kick", where=here, example="bert")
    add("replace", replace, words="!unoreplace", where=here, rights=Rights.OPERATOR)
    add("transfer", transfer, words="!unotransfer", where=here, example="bert")
    add("wait", wait, words="!unowait", where=here, when=When.LOBBY)
    add("hint", hint, words="!unohint", where=here, when=When.GAME, rights=Rights.OPERATOR)
    add(
        "rules",
        rules,
        words="!unorules",
        example="sterning",
        example_means="How that rule set differs from the rules here; an operator sets it with "
        "the same line.",
    )
    add(
        "top",
        top,
        words="!unotop",
        also="!top",
        example="10",
        example_means="The first ten places.",
    )
    add("stats", stats, words="!unostats", also="!stats !score", example="anna")
    add("notify", notify, words="!unonotify")
    add("colors", colors, words="!unocolors", when=When.SEATED, example="off")
    add("sort", sort, words="!unosort", when=When.SEATED, example="color")
    add("hand", hand, words="!unohand", example="msg")
    registry.on(Left, starter_left)
