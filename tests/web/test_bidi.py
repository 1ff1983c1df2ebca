"""Names that run from the right: isolated from the sentence around them, in elements and in attributes."""

from markupsafe import Markup

from pyramidion.web.pages.bidi import isolated, named, with_long_words
from pyramidion.web.pages.renderer import ENVIRONMENT


def test_a_name_is_an_element_that_breaks_only_inside_long_words():
    assert named("Bartholomew of Kraków") == "<bdi>Bartholomew of Kraków</bdi>"
    assert named("W" * 16) == f"<bdi>{'W' * 16}</bdi>"
    assert named("W" * 17) == f'<bdi class="long" title="{"W" * 17}">{"W" * 17}</bdi>'


def test_a_name_is_escaped_even_if_the_same_text_was_markup_before():
    assert named(Markup("<b>")) == "<bdi><b></bdi>"
    assert named("<b>") == "<bdi>&lt;b&gt;</bdi>"


def test_very_long_words_of_a_sentence_are_written_as_long_names_but_no_tag_is():
    name, link = "W" * 17, f'<a href="/rules#{"x" * 40}">PZ 4</a>'
    sentence = Markup(f"{name}&amp;Ada begin ({link})")
    assert with_long_words(sentence) == f"{named(name + '&Ada')} begin ({link})"
    assert with_long_words(Markup("Bartholomew&#39;s turn")) == "Bartholomew&#39;s turn"


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
