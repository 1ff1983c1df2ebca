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
    """One page of a list: its entries, and the `after` with which to request the next page, None on the last page."""

    entries: Sequence[T]
    following: object | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The `Link` header of an answer with this page, which leads to the next page; empty on the last page."""
        if self.following is None:
            return {}
        return {"link": f'<?{urlencode({"after": self.following})}>; rel="next"'}


def first_page(entries: Sequence[T], place: Callable[[T], object]) -> ListPage[T]:
    """Return a page of the first `PAGE` entries.

    To show that another page follows, `entries` holds up to one entry more. `place` gives the value of `after` with
    which the next page is requested, from the last entry of this page.
    """
    return ListPage(entries[:PAGE], place(entries[PAGE - 1]) if len(entries) > PAGE else None)


def numbered_page(entries: Sequence[T], after: int) -> ListPage[T]:
    """Return the page of a list that begins after `after` entries, which `entries` no longer contains.

    To show that another page follows, `entries` holds up to one entry more than a page.
    """
    return first_page(entries, lambda _last: after + PAGE)
