"""UNO for gamebot: a pure engine whose house rules are data."""
