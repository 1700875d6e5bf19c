"""Durable memory; `gamebot.store.sqlite` is the default backend, imported where it is used."""
