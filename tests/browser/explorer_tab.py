"""A tab with the explorer in it, as a user handles it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ExplorerTab", "open_explorer"]


@dataclass
class ExplorerTab:
    """A page, what it complained about, and what it asked for."""

    page: Any
    origin: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    most_in_flight: int = 0
    _in_flight: int = 0

    def listen(self) -> None:
        """Keep complaints, addresses, and how many conditionals are asked for at the same time."""
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._began)
        self.page.on("requestfinished", self._ended)
        self.page.on("requestfailed", self._ended)

    def _began(self, request: Any) -> None:
        self.requests.append(request.url)
        if request.url.endswith("/conditionals"):
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)

    def _ended(self, request: Any) -> None:
        self._in_flight -= request.url.endswith("/conditionals")

    def card(self, column: str) -> Any:
        return self.page.locator(f".card[data-column={json.dumps(column)}]")

    def ask(self, column: str) -> None:
        self.card(column).get_by_role("button", name="ask").click()

    def choose(self, column: str, label: str) -> None:
        self.card(column).locator(f"[data-label={json.dumps(label)}]").click()

    def press_at(self, column: str, fraction: float) -> None:
        """Press the button over a chart of numbers, at a fraction of its width."""
        self.page.mouse.move(*self._place(column, fraction))
        self.page.mouse.down()

    def move_to(self, column: str, fraction: float, steps: int = 5) -> None:
        self.page.mouse.move(*self._place(column, fraction), steps=steps)

    def drag(self, column: str, start: float, end: float) -> None:
        self.press_at(column, start)
        self.move_to(column, end)
        self.page.mouse.up()

    def _place(self, column: str, fraction: float) -> tuple[float, float]:
        chart = self.card(column).locator("svg")
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        return box["x"] + fraction * box["width"], box["y"] + 0.5 * box["height"]

    def write(self, name: str, text: str) -> None:
        """Write the event or the evidence as text."""
        self.page.fill(f"input[name={name}]", text)
        self.page.press(f"input[name={name}]", "Enter")

    @property
    def given(self) -> str:
        return str(self.page.input_value("input[name=given]"))

    @property
    def event(self) -> str:
        return str(self.page.input_value("input[name=event]"))

    def wait_for(self, given: str | None = None) -> None:
        """Wait until what the fields say is what the charts show."""
        if given is not None:
            self.page.wait_for_function(
                "text => document.querySelector('[name=given]').value === text", arg=given
            )
        self.page.wait_for_function(
            "() => document.body.dataset.shown === JSON.stringify("
            "['given', 'event'].map(name => document.querySelector(`[name=${name}]`).value))"
        )

    def wait_until_sure(self) -> None:
        """Wait until rows and trees behind the evidence are shown."""
        self.page.wait_for_function(
            "() => document.querySelector('[data-figure=spread] b')?.textContent !== '…'"
        )

    @property
    def answer(self) -> float:
        """What stands in large, unrounded."""
        self.wait_for()
        return float(self.page.locator(".large").get_attribute("data-value"))

    def fractions(self, column: str) -> dict[str, str]:
        """Return what stands beside the bars of a column."""
        options = self.card(column).locator("[role=option]")
        return dict(
            options.evaluate_all(
                "all => all.map(o => [o.dataset.label, o.querySelector('.share').textContent])"
            )
        )

    def said(self) -> str:
        return str(self.page.locator("#live").text_content())


def open_explorer(context: Any, url: str, fragment: str = "") -> ExplorerTab:
    """Open the explorer in a new tab, and wait until it has drawn."""
    tab = ExplorerTab(context.new_page(), url)
    tab.listen()
    tab.page.goto(url + fragment)
    tab.page.wait_for_selector("body[data-shown]")
    return tab
