"""Long lists of the JSON API, page by page: a `Link` header leads to the next page (RFC 8288)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar
from urllib.parse import urlencode

from fastapi import Query

T = TypeVar("T")
PAGE = 50
"""The length of a page."""
Seen = Annotated[int, Query(ge=0, le=10**6, description="How many entries to leave out; `Link` has the next page's.")]


@dataclass(frozen=True, slots=True)
class ListPage(Generic[T]):
    """A page of a list, and whether there is another."""

    entries: Sequence[T]
    more: bool

    def link(self, after: Callable[[T], object]) -> dict[str, str]:
        """Return the header of an answer with this page; `after` returns the place after its last entry."""
        if not self.more:
            return {}
        return {"link": f'<?{urlencode({"after": after(self.entries[-1])})}>; rel="next"'}


def first_page(entries: Sequence[T]) -> ListPage[T]:
    """Return the first page of a list of which up to one entry more has been read."""
    return ListPage(entries[:PAGE], len(entries) > PAGE)
