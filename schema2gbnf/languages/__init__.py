"""Regular languages over Unicode code points: character sets, ECMA-262 patterns, automata, decimals, formats.

Nothing in this package knows of JSON Schema or of grammars.
"""
