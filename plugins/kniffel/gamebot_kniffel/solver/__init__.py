"""Kniffel for one player, played perfectly: values of all states by backward induction.

Pure, and the only part that needs numpy: whoever uses it imports it when it is asked for.
"""
