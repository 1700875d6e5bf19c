"""Kniffel for gamebot: five dice, thirteen boxes, one game per channel."""
