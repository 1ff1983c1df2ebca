"""Long lists, page by page. In the JSON API a `Link` header leads to the next page (RFC 8288), on pages a link does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar
from urllib.parse import urlencode

from pydantic import Field

T = TypeVar("T")
PAGE = 50
"""The length of a page."""
Offset = Annotated[int, Field(ge=0, le=10**6, description="How many entries to leave out; `Link` has the next page's.")]


@dataclass(frozen=True, slots=True)
class ListPage(Generic[T]):
    """A page of a list, and after which place the next page begins; None if there is no other."""

    entries: Sequence[T]
    following: object | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The headers of an answer with this page."""
        if self.following is None:
            return {}
        return {"link": f'<?{urlencode({"after": self.following})}>; rel="next"'}


def first_page(entries: Sequence[T], place: Callable[[T], object]) -> ListPage[T]:
    """Return the first page of a list of which up to one entry more has been read; `place` is where an entry is."""
    return ListPage(entries[:PAGE], place(entries[PAGE - 1]) if len(entries) > PAGE else None)


def numbered_page(entries: Sequence[T], after: int) -> ListPage[T]:
    """Return a page of a list of which so many entries have been left out and up to one entry more has been read."""
    return first_page(entries, lambda _last: after + PAGE)
