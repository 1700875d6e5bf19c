"""A whole plugin: a command, durable state, and a timer that survives a restart."""

from gamebot import Context, Duration, Registry, hookimpl


def tea(ctx: Context, steeping: Duration, kind: str = "tea") -> None:  # command
    """Remind you when your tea has steeped."""  # command
    ctx.state["cups"] = ctx.state.get("cups", 0) + 1  # state
    ctx.timer("ready", steeping, kind)  # timer
    ctx.say(f"{ctx.nick}: cup {ctx.state['cups']}, {kind}")  # command


def ready(ctx: Context, kind: str) -> None:
    ctx.say(f"The {kind} is ready!")


@hookimpl
def gamebot_register(registry: Registry) -> None:
    registry.command("tea", tea, words="!tea")  # command
    registry.timer("ready", ready)  # timer
