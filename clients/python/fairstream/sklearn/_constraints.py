"""The constraints of a configuration, from what an estimator is given."""

from __future__ import annotations

from typing import Any, Sequence

# Texts that mean "missing" (record.missing).
MISSING = frozenset(["", "?", "NaN", "nan", "NA", "N/A", "null", "None", "NULL"])
# More values than these are a number, or no groups.
MOST = 50


def plain(value: Any) -> Any:
    """What JSON can hold of a parameter."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(v) for v in value]
    return value.item() if hasattr(value, "item") else value


def automatic(names: Sequence[str], columns: Sequence[Sequence[str]], criterion: str, tau: float, regression: bool) -> list[dict[str, Any]]:
    """One constraint for each sensitive feature: its two values against each other, or each of several against the value with the
    highest rate, in a regression against all others."""
    constraints = []
    for name, cells in zip(names, columns):
        values = sorted(unquoted(cell) for cell in set(cells))
        values = [value for value in values if value not in MISSING]
        if len(values) < 2:
            raise ValueError(
                f"sensitive_features: {name} has {len(values)} known value in the first records: two groups are needed, "
                "or list the constraints"
            )
        if len(values) > MOST:
            raise ValueError(f"sensitive_features: {name} has {len(values)} values, more than {MOST}: list the constraints, with ranges of numbers")
        constraint: dict[str, Any] = {"name": name, "attribute": name, "criterion": criterion, "tau": tau}
        if len(values) == 2:
            constraint.update(group=values[1], versus=values[0])
        else:
            constraint.update(group="each", versus="rest" if regression else "best")
        constraints.append(constraint)
    return constraints


def attributes(constraints: Sequence[dict[str, Any]]) -> list[str]:
    """The attributes that constraints name, each once."""
    names: list[str] = []
    for constraint in constraints:
        listed = constraint.get("attribute", [])
        for name in [listed] if isinstance(listed, str) else listed:
            if name not in names:
                names.append(name)
    return names


def unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell[:1] == '"' else cell
