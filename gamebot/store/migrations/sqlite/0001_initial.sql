-- Columns are the fields of the row classes in gamebot/ports.py, in their order.

CREATE TABLE game (
    network TEXT NOT NULL,
    channel TEXT NOT NULL,
    plugin TEXT NOT NULL,
    game_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (network, channel, plugin)
);

CREATE TABLE timer (
    network TEXT NOT NULL,
    channel TEXT NOT NULL,
    plugin TEXT NOT NULL,
    name TEXT NOT NULL,
    clock_id INTEGER NOT NULL,
    due_at REAL NOT NULL,
    limit_s REAL NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (network, channel, plugin, name)
);

-- Lines that are durable and perhaps not sent yet; ids are given by the core, in sending order.
CREATE TABLE outbox (
    network TEXT NOT NULL,
    target TEXT NOT NULL,
    text TEXT NOT NULL,
    verb TEXT NOT NULL,
    urgency INTEGER NOT NULL,
    channel TEXT NOT NULL,
    keep INTEGER NOT NULL,
    id INTEGER PRIMARY KEY CHECK (id > 0)
);

CREATE TABLE state (
    network TEXT NOT NULL,
    channel TEXT NOT NULL,
    plugin TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (network, channel, plugin, key)
);

CREATE TABLE setting (
    scope TEXT NOT NULL,
    plugin TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    "by" TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (scope, plugin, key)
);

CREATE TABLE result (
    id INTEGER PRIMARY KEY,
    network TEXT NOT NULL,
    channel TEXT NOT NULL,
    plugin TEXT NOT NULL,
    game_id TEXT NOT NULL,
    player TEXT NOT NULL,
    identity TEXT NOT NULL,
    account TEXT,
    points INTEGER NOT NULL,
    won INTEGER NOT NULL,
    forfeited INTEGER NOT NULL,
    is_bot INTEGER NOT NULL,
    with_bots INTEGER NOT NULL,
    ended_at REAL NOT NULL,
    details TEXT NOT NULL
);

CREATE INDEX result_by_player ON result (network, channel, plugin, identity, ended_at);
