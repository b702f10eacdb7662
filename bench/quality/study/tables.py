"""Tables of RESULTS.md, and numbers with their standard errors."""


def table(head, rows):
    """A table of the first column's names and of numbers."""
    text = "| " + " | ".join(head) + " |\n|---" + "|---:" * (len(head) - 1) + "|\n"
    return text + "".join("| " + " | ".join(row) + " |\n" for row in rows)


def uncertain(value, error, sign=""):
    """A value and its standard error, which one fold does not give."""
    text = f"{value:{sign}.4f}"
    return text if error != error else f"{text} ± {error:.4f}"
