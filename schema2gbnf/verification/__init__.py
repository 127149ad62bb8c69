"""Evidence that a grammar means its schema: sentences are validated, valid and invalid values are asked for.

In come a schema and, perhaps, a grammar that someone keeps for it; a JSON Schema validator judges values, and engines
that read grammars judge texts. Out goes a `Verification` with every counterexample, made small.
"""
