"""What a schema means: sets of demands on one value, read per JSON type as languages and shapes.

In come subschemas; out go string and number languages, object and array shapes, and the verdict of `holds`.
Nothing here knows how a grammar is written.
"""
