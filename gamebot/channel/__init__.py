"""One task a channel: its queue, the transaction of each input, timers, what it remembers and sends."""
