"""The explorer in a real browser: its answers are the library's, and everything works without a mouse."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from explorer_tab import ExplorerTab, open_explorer
from nasty_tables import NASTY, nasty_table

import boxwood as bw

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
# A model that was asked before sums in another order: the last bits may differ.
close = partial(pytest.approx, rel=1e-12)

HEAVY_GENTOO = "species == 'Gentoo' and 5000 <= body_mass_g < 6000"


@pytest.fixture(scope="module")
def model() -> bw.TableModel:
    return bw.TableModel(random_state=0).fit(ROOT / "examples" / "penguins.csv")


@pytest.fixture(scope="module")
def address(model: bw.TableModel) -> Iterator[str]:
    serve = pytest.importorskip("boxwood.serve")
    from boxwood.serve.server import BackgroundServer

    table = bw.read_columns(ROOT / "examples" / "penguins.csv")
    with BackgroundServer(serve.explorer_app(model, table=table, token="t")) as server:
        yield server.url


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Callable[..., ExplorerTab]]:
    """Return a function that opens tabs; none may complain, or ask any other server."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    tabs: list[ExplorerTab] = []

    def open_tab(fragment: str = "") -> ExplorerTab:
        tabs.append(open_explorer(context, address, fragment))
        return tabs[-1]

    yield open_tab
    for tab in tabs:
        assert tab.complaints == []
        assert all(url.startswith((address, "data:")) for url in tab.requests)
    context.close()


@pytest.fixture
def tab(opened: Callable[..., ExplorerTab]) -> ExplorerTab:
    return opened()


def test_without_evidence_all_rows_are_behind_it(tab: ExplorerTab) -> None:
    assert tab.page.locator("[data-figure=evidence] b").text_content() == "100 %"
    assert tab.page.locator("[data-figure=rows] b").text_content() == "344"


def test_dragging_changes_the_answer_to_the_librarys(tab: ExplorerTab, model: bw.TableModel) -> None:
    tab.ask("sex")
    tab.choose("sex", "male")
    before = tab.answer
    assert before == close(model.prob("sex == 'male'"))
    tab.press_at("body_mass_g", 0.7)
    tab.move_to("body_mass_g", 0.9)
    under_way = tab.answer
    assert under_way != before
    assert under_way == close(model.prob(tab.event, given=tab.given))
    tab.move_to("body_mass_g", 0.99)
    tab.page.mouse.up()
    tab.wait_for()
    assert tab.event == "sex == 'male'"
    assert "body_mass_g" in tab.given
    assert tab.answer == close(model.prob(tab.event, given=tab.given))
    assert tab.answer != under_way


def test_every_column_becomes_its_conditional(tab: ExplorerTab, model: bw.TableModel) -> None:
    tab.choose("species", "Gentoo")
    tab.wait_for("species == 'Gentoo'")
    conditional = model.given("species == 'Gentoo'").probabilities("island")
    for label, shown in tab.fractions("island").items():
        assert float(shown.removesuffix(" %")) == pytest.approx(100 * conditional[label], abs=0.051)
    pale = tab.card("island").locator("[role=option]").evaluate_all("all => all.map(o => o.ariaLabel)")
    for p, text in zip(model.probabilities("island").values(), pale, strict=True):
        assert f"before {100 * p:.1f} %" in text


def test_a_drag_asks_one_thing_at_a_time_and_the_last_wins(tab: ExplorerTab, model: bw.TableModel) -> None:
    tab.ask("sex")
    tab.choose("sex", "male")
    tab.wait_for()
    tab.wait_until_sure()
    tab.most_in_flight = 0
    tab.press_at("flipper_length_mm", 0.2)
    for fraction in (0.8, 0.3, 0.6):
        tab.move_to("flipper_length_mm", fraction, steps=20)
    assert tab.most_in_flight == 1
    tab.page.mouse.up()
    assert tab.answer == close(model.prob(tab.event, given=tab.given))


def test_a_drag_draws_what_is_in_sight_and_its_end_the_rest(tab: ExplorerTab, model: bw.TableModel) -> None:
    tab.page.set_viewport_size({"width": 400, "height": 500})
    asked: list[Any] = []
    tab.page.on("request", lambda one: asked.append(one) if one.url.endswith("/conditionals") else None)
    before = tab.fractions("species")
    tab.press_at("body_mass_g", 0.7)
    tab.move_to("body_mass_g", 0.9)
    tab.wait_for()
    bodies = [request.post_data_json for request in asked]
    assert bodies
    assert all("body_mass_g" in body["only"] and "species" not in body["only"] for body in bodies)
    assert tab.fractions("species") == before
    tab.card("species").evaluate("card => card.scrollIntoView()")  # during the drag
    tab.page.wait_for_function(
        "text => document.querySelector('[data-column=species] .share').textContent !== text",
        arg=next(iter(before.values())),
    )
    tab.page.mouse.up()
    tab.wait_for()
    tab.wait_until_sure()
    conditional = model.given(tab.given).probabilities("species")
    for label, shown in tab.fractions("species").items():
        assert float(shown.removesuffix(" %")) == pytest.approx(100 * conditional[label], abs=0.051)


def test_reload_keeps_the_state(tab: ExplorerTab, opened: Callable[..., ExplorerTab]) -> None:
    tab.ask("sex")
    tab.choose("sex", "female")
    tab.drag("body_mass_g", 0.1, 0.4)
    tab.page.select_option("#pair [name=y]", "year")
    tab.wait_for()
    given, answer, url = tab.given, tab.answer, tab.page.url
    tab.page.reload()
    tab.wait_for(given)
    assert tab.answer == answer
    assert tab.card("body_mass_g").get_attribute("data-role") == "evidence"
    assert tab.card("sex").get_attribute("data-role") == "event"
    shared = opened("#" + url.partition("#")[2])
    shared.wait_for(given)
    assert shared.answer == answer
    shared.page.wait_for_function("() => document.querySelector('#pair [name=y]').value === 'year'")


def test_what_stands_behind_the_evidence(tab: ExplorerTab, model: bw.TableModel) -> None:
    tab.write("event", f"P(sex == 'male' | {HEAVY_GENTOO})")
    tab.wait_for(HEAVY_GENTOO)
    tab.wait_until_sure()
    figures = {
        name: tab.page.locator(f"[data-figure={name}] b").text_content()
        for name in ("evidence", "rows", "spread")
    }
    sure = model.interval_of("sex == 'male'", given=HEAVY_GENTOO)
    assert figures["evidence"] == f"{100 * model.prob(HEAVY_GENTOO):.1f} %"
    assert float(figures["rows"]) == pytest.approx(sure.effective_rows, rel=0.005)
    assert figures["spread"].startswith("± ")
    interval = f"90 % interval {100 * sure.low:.1f} % to {100 * sure.high:.1f} %"
    assert tab.page.locator(".range").text_content().startswith(interval)


def test_two_tabs_do_not_disturb_each_other(opened: Callable[..., ExplorerTab], model: bw.TableModel) -> None:
    first, second = opened(), opened()
    for tab, species in ((first, "Adelie"), (second, "Gentoo")):
        tab.page.bring_to_front()
        tab.choose("species", species)
        tab.ask("sex")
        tab.choose("sex", "male")
        tab.drag("year", 0.1, 0.5)
    for tab, species in ((first, "Adelie"), (second, "Gentoo")):
        tab.page.bring_to_front()
        assert f"species == '{species}'" in tab.given
        assert tab.answer == close(model.prob("sex == 'male'", given=tab.given))


def focus_by_tab(tab: ExplorerTab, column: str) -> None:
    inside = "name => document.activeElement?.closest('.card svg')?.closest('.card').dataset.column === name"
    for _ in range(60):
        if tab.page.evaluate(inside, column):
            return
        tab.page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not reach the chart of {column}")


def test_the_keyboard_alone_sets_evidence(tab: ExplorerTab, model: bw.TableModel) -> None:
    focus_by_tab(tab, "species")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Enter")
    tab.wait_for("species == 'Chinstrap'")
    focus_by_tab(tab, "body_mass_g")
    for key in ("Home", *["ArrowRight"] * 10, "Enter", *["ArrowRight"] * 20, "Enter"):
        tab.page.keyboard.press(key)
    tab.page.wait_for_function("() => document.querySelector('[name=given]').value.includes('body_mass_g')")
    tab.wait_for()
    assert "body_mass_g" in bw.query.expression.to_text(
        bw.query.read_event(model.schema, tab.given), model.schema
    )
    tab.page.wait_for_function(
        "() => document.querySelector('#live').textContent.startsWith('Evidence species')"
    )
    assert f"{100 * model.prob(tab.given):.1f} %" in tab.said()
    tab.page.keyboard.press("Escape")
    tab.wait_for("species == 'Chinstrap'")


def test_impossible_evidence_says_so(tab: ExplorerTab) -> None:
    tab.write("given", "species == 'Gentoo' and species == 'Adelie'")
    tab.page.wait_for_selector(".impossible:not([hidden])")
    assert "Impossible evidence" in tab.page.locator(".impossible").text_content()
    assert "Impossible evidence" in tab.said()
    assert set(tab.fractions("species").values()) == {"–"}
    tab.page.click("#undo")
    tab.wait_for("")
    assert tab.page.locator(".impossible").is_hidden()


def test_undo_and_redo(tab: ExplorerTab) -> None:
    assert tab.page.locator("#undo").is_disabled()
    tab.choose("species", "Gentoo")
    tab.drag("body_mass_g", 0.6, 0.9)
    tab.wait_for()
    both = tab.given
    tab.page.keyboard.press("Control+z")
    tab.wait_for("species == 'Gentoo'")
    tab.page.click("#undo")
    tab.wait_for("")
    tab.page.click("#redo")
    tab.page.keyboard.press("Control+y")
    tab.wait_for(both)


def test_text_of_any_form_is_evidence(tab: ExplorerTab, model: bw.TableModel) -> None:
    tab.write("event", f"P(sex == 'male' | {HEAVY_GENTOO})")
    tab.wait_for(HEAVY_GENTOO)
    assert tab.answer == close(model.prob("sex == 'male'", given=HEAVY_GENTOO))
    assert tab.card("species").get_attribute("data-role") == "evidence"
    either = "species == 'Gentoo' or bill_length_mm > bill_depth_mm + 30"
    tab.write("given", either)
    tab.wait_for(either)
    assert tab.answer == close(model.prob("sex == 'male'", given=either))
    tab.choose("island", "Biscoe")
    tab.wait_for(f"island == 'Biscoe' and ({either})")
    assert tab.answer == close(model.prob("sex == 'male'", given=f"island == 'Biscoe' and ({either})"))


def test_text_that_cannot_be_read_is_refused_with_a_reason(browser: Any, address: str) -> None:
    # Not by the fixture: browsers write every refused request to the console themselves.
    tab = open_explorer(browser.new_context(), address)
    tab.write("given", "species == 'Gentoo'")
    tab.wait_for("species == 'Gentoo'")
    tab.write("given", "weight > 4000")
    tab.page.wait_for_function("() => document.querySelector('.refusal').textContent.includes('weight')")
    assert tab.page.get_attribute("[name=given]", "aria-invalid") == "true"
    tab.choose("island", "Dream")
    tab.page.wait_for_function("() => document.querySelector('.refusal').textContent.includes('weight')")
    tab.page.click("#clear")
    tab.wait_for("")
    assert tab.page.locator(".refusal").text_content() == ""


def test_rows_that_fit_and_why_one_is_odd(tab: ExplorerTab, model: bw.TableModel) -> None:
    tab.write("given", HEAVY_GENTOO)
    tab.wait_for(HEAVY_GENTOO)
    tab.page.wait_for_selector(".real tbody tr")
    table = bw.read_columns(ROOT / "examples" / "penguins.csv")
    n_real = int(bw.query.read_event(model.schema, HEAVY_GENTOO).contains(table).sum())
    tab.page.wait_for_function(
        "n => document.querySelector('.count').textContent.startsWith(`${n} real rows`)", arg=n_real
    )
    for rows in (".real", ".simulated"):
        assert set(tab.page.locator(f"{rows} tbody td:nth-child(2)").all_text_contents()) == {"Gentoo"}
    tab.page.locator(".real tbody tr button").first.click()
    tab.page.wait_for_selector("#explanation:not([hidden]) tbody tr")
    assert tab.page.locator("#explanation tbody tr").count() == len(model.schema.names)


def test_two_columns_and_the_next_one(tab: ExplorerTab) -> None:
    tab.page.select_option("#pair [name=x]", "body_mass_g")
    tab.page.select_option("#pair [name=y]", "species")
    tab.page.wait_for_function(
        "() => document.querySelector('.map svg')?.ariaLabel.includes('body_mass_g and species')"
    )
    assert tab.page.locator(".map .cells rect").count() > 20
    tab.page.wait_for_selector("#next button")
    column = tab.page.locator("#next button").first.get_attribute("data-column")
    tab.page.locator("#next button").first.click()
    assert tab.page.evaluate("document.activeElement.closest('.card').dataset.column") == column


def test_lines_to_copy_say_the_question(tab: ExplorerTab, model: bw.TableModel) -> None:
    tab.write("event", f"P(sex == 'male' | {HEAVY_GENTOO})")
    tab.wait_for(HEAVY_GENTOO)
    lines = {
        name: tab.page.locator(f"[data-language={name}]").text_content() for name in ("python", "cli", "sql")
    }
    assert all("Gentoo" in line and "male" in line for line in lines.values())


def test_names_are_shown_not_obeyed(browser: Any) -> None:
    from boxwood.serve import explorer_app
    from boxwood.serve.server import BackgroundServer

    table = bw.read_columns(nasty_table())
    model = bw.TableModel(bw.DensityForest(n_estimators=10, random_state=0)).fit(table)
    with BackgroundServer(explorer_app(model, table=table, token="t")) as server:
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        tab = open_explorer(context, server.url)
        assert tab.page.locator("#columns h3").all_text_contents() == list(model.schema.names)
        for label in NASTY[:2]:
            tab.choose(NASTY[0], label)
        assert (
            " in [" in tab.given
        )  # the second click adds to the first, although its answer is still to come
        tab.drag("when", 0.2, 0.7)
        tab.drag(NASTY[1], 0.3, 0.6)
        tab.card(NASTY[2]).locator(".missing").click()
        tab.ask(NASTY[3])
        tab.drag(NASTY[3], 0.1, 0.5)
        tab.wait_for()
        assert len(tab.given) > 200
        assert tab.answer == close(model.prob(tab.event, given=tab.given))
        given = tab.given
        tab.page.reload()
        tab.wait_for(given)
        tab.wait_until_sure()
        assert tab.card("when").get_attribute("data-role") == "evidence"
        tab.page.wait_for_selector(".simulated tbody tr")
        tab.page.locator(".simulated tbody tr button").first.click()
        tab.page.wait_for_selector("#explanation:not([hidden]) tbody tr")
        tab.page.wait_for_selector("#next button, #next .soft:has-text('No other')", timeout=60_000)
        assert tab.complaints == []
        context.close()


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_page(browser: Any, address: str, scheme: str, width: int) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    tab = open_explorer(context, address)
    tab.write("given", HEAVY_GENTOO)
    tab.page.wait_for_selector(".real tbody tr")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == width
    assert tab.complaints == []
    context.close()
