"""A window on a list of actions, so that no thread holds the list.

A rule `legal` writes up to thousands of actions to `out`: 14 kB in Ponzi Scheme, 23 kB in Pyramid Scheme, which a
thread of a GPU would spill. A window stands for `out` instead, and keeps SHORT entries from its `first` on. Most
positions have fewer actions; in the others the window is moved to the wanted entry, and the rule is called again.
"""

from __future__ import annotations

import operator
from typing import Any, NamedTuple, cast

from numba.core import types as core_types
from numba.cuda import extending

SHORT = 64
"""How many entries a window keeps."""

types: Any = core_types
overload = cast("Any", extending).overload


class Window(NamedTuple):
    """The list to which a rule `legal` writes, of which SHORT entries from `first` on are kept, in `kept` (int32)."""

    first: Any
    kept: Any

    def __setitem__(self, place: Any, action: Any) -> None:
        """Keep an entry, if it is in the window."""
        at = int(place) - self.first
        if 0 <= at < SHORT:
            self.kept[at] = action


@overload(operator.setitem)
def _keep(window: Any, place: Any, action: Any) -> Any:
    """Compile `window[place] = action` for the device as `Window.__setitem__`; Numba calls it for all assignments."""
    if not (isinstance(window, types.NamedTuple) and window.instance_class is Window):
        return None

    def keep(window: Any, place: Any, action: Any) -> None:
        """Store an action at its place in the list, if the window reaches there."""
        at = place - window.first
        if 0 <= at < SHORT:
            window.kept[at] = action

    return keep
