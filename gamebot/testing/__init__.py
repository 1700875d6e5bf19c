"""What plugin authors test with: a virtual clock, an IRC server in the process, an IRC client."""

from __future__ import annotations

from gamebot.clock import VirtualClock

__all__ = ["VirtualClock"]
