"""The table as plain data."""
