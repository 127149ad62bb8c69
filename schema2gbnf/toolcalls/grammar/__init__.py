"""Grammars of tool calls: a list of tools and a wire format go in, a grammar of a request's calls comes out."""

from __future__ import annotations

from schema2gbnf.toolcalls.grammar.compile import ToolFinding, ToolGrammar, compile_tools
from schema2gbnf.toolcalls.grammar.wire import FORMATS, Format, Trigger

__all__ = ["FORMATS", "Format", "ToolFinding", "ToolGrammar", "Trigger", "compile_tools"]
