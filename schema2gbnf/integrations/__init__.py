"""Parts of other people's programs that this package fits into; each module needs the program it is named after."""
