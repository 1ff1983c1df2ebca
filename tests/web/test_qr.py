"""QR codes. Decoders have read those whose hashes stand here; the laws hold for all."""

import hashlib

import pytest

from pyramidion.web.people import qr

LINK = "http://localhost:8000/t/2p2rrarqt5yw8p8vhhfe76g/come#mdke5q49g23hys4q"


def value_at(words, root):
    value = 0
    for word in words:
        value = qr.times(value, root) ^ word
    return value


@pytest.mark.parametrize("version", qr.CAPACITY)
def test_check_words_make_every_syndrome_zero(version):
    room, checks = qr.CAPACITY[version]
    words = [(7 * n + 3) % 256 for n in range(room)]
    root = 1
    for _ in range(checks):
        assert value_at(words + qr.remainder(words, checks), root) == 0
        root = qr.times(root, 2)


@pytest.mark.parametrize(
    ("text", "size", "known"),
    [
        ("a", 21, "d0487418c22d70a5"),
        ("z" * 32, 25, "09a1ad39ffeeee98"),
        (LINK, 33, "aa5974b3a7c152ee"),
        ("x" * 106, 37, "93d634fafb2fb142"),
    ],
)
def test_known_codes_stay_as_they_are(text, size, known):
    grid = qr.modules(text)
    assert len(grid) == size
    drawn = "\n".join("".join(" #"[dark] for dark in row) for row in grid)
    assert hashlib.sha256(drawn.encode()).hexdigest()[:16] == known, drawn


def test_what_is_too_long_has_none():
    assert qr.fits("x" * 106)
    assert not qr.fits("x" * 107)
    with pytest.raises(ValueError, match="106 bytes"):
        qr.modules("x" * 107)


def test_a_picture_has_a_name_and_no_text_of_others():
    picture = qr.picture(LINK, 'a "code"')
    assert "a &#34;code&#34;" in picture
    assert picture.count("<path") == 2
