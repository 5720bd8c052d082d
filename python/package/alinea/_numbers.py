"""Numbers that callers give."""

from __future__ import annotations

import operator
from typing import Optional


def check_whole(**numbers: Optional[int]) -> None:
    """Raises if one of these is not a whole number from 0 on; `None` is one that is not given."""
    for name, number in numbers.items():
        if number is not None and operator.index(number) < 0:
            raise ValueError(f"{name} cannot be {number}; expected 0 or more")
