"""Names that run from the right: isolated from the sentence around them, in elements and in attributes."""

from markupsafe import Markup

from pyramidion.web.pages.bidi import isolated, named
from pyramidion.web.pages.rendering import ENVIRONMENT


def test_a_name_is_an_element_that_breaks_only_inside_long_words():
    assert named("Bartholomew of Kraków") == "<bdi>Bartholomew of Kraków</bdi>"
    assert named("W" * 16) == f"<bdi>{'W' * 16}</bdi>"
    assert named("W" * 17) == f'<bdi class="long">{"W" * 17}</bdi>'


def test_a_name_is_escaped_even_if_the_same_text_was_markup_before():
    assert named(Markup("<b>")) == "<bdi><b></bdi>"
    assert named("<b>") == "<bdi>&lt;b&gt;</bdi>"


def test_only_texts_from_the_right_are_isolated():
    assert isolated("Ada") == "Ada"
    assert isolated("דוד") == "\u2068דוד\u2069"
    assert isolated("علي 2") == "\u2068علي 2\u2069"


def test_sentences_of_templates_isolate_what_is_filled_in():
    template = ENVIRONMENT.from_string(
        '<p title="{{ _("%(name)s wins", name=name) }}">{{ _("%(name)s wins", name=name) }}</p>'
    )
    said = "\u2068דוד\u2069 wins"
    assert template.render(name="דוד") == f'<p title="{said}">{said}</p>'
    assert "\u2068" not in template.render(name="Ada")
