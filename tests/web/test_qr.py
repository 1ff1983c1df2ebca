"""QR codes on pages."""

import re

import segno

from pyramidion.web.pages import qr

LINK = "http://localhost:8000/t/2p2rrarqt5yw8p8vhhfe76g/come#mdke5q49g23hys4q"


def test_the_picture_is_as_large_as_the_code_and_its_quiet_border():
    picture = qr.picture(LINK, "Your link")
    size = segno.make_qr(LINK, error="l", boost_error=False).symbol_size(border=4)[0]
    assert re.search(r'viewBox="0 0 (\d+) (\d+)"', picture).groups() == (str(size), str(size))
    assert 'class="qr"' in picture


def test_a_longer_link_has_a_picture_too():
    assert "<svg" in qr.picture(LINK * 3, "Your link")


def test_a_picture_has_a_name_and_no_text_of_others():
    picture = qr.picture(LINK, 'a "code"')
    assert 'aria-label="a &#34;code&#34;"' in picture
    assert "localhost" not in picture
