"""A small inventory for a shop: items, stock movements, and reports.

The inventory keeps every movement of stock in a list, so that the quantity
on hand can be checked at any time by adding the movements up again.
Prices are stored in whole cents to avoid rounding errors.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Iterable, Iterator


class InventoryError(Exception):
    """Base class for all errors raised by this module."""


class UnknownItem(InventoryError):
    """Raised when an item code is not in the inventory."""

    def __init__(self, code: str) -> None:
        super().__init__(f"unknown item: {code!r}")
        self.code = code


class NotEnoughStock(InventoryError):
    """Raised when more units are removed than are on hand."""

    def __init__(self, code: str, wanted: int, on_hand: int) -> None:
        super().__init__(f"cannot remove {wanted} of {code!r}: only {on_hand} on hand")
        self.code = code
        self.wanted = wanted
        self.on_hand = on_hand


@dataclass(frozen=True)
class Item:
    """One kind of thing that the shop sells."""

    code: str
    name: str
    price_cents: int
    category: str = "general"
    reorder_level: int = 0

    def __post_init__(self) -> None:
        if not self.code:
            raise ValueError("an item needs a code")
        if self.price_cents < 0:
            raise ValueError("a price cannot be negative")

    @property
    def price(self) -> str:
        return format_money(self.price_cents)


@dataclass(frozen=True)
class Movement:
    """A change in the stock of one item: positive for in, negative for out."""

    code: str
    quantity: int
    day: date
    note: str = ""


@dataclass
class Inventory:
    items: dict[str, Item] = field(default_factory=dict)
    movements: list[Movement] = field(default_factory=list)
    _on_hand: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, code: object) -> bool:
        return code in self.items

    def __iter__(self) -> Iterator[Item]:
        return iter(sorted(self.items.values(), key=lambda item: item.code))

    def add_item(self, item: Item) -> None:
        if item.code in self.items:
            raise InventoryError(f"item {item.code!r} is already in the inventory")
        self.items[item.code] = item

    def get(self, code: str) -> Item:
        try:
            return self.items[code]
        except KeyError:
            raise UnknownItem(code) from None

    def on_hand(self, code: str) -> int:
        self.get(code)
        return self._on_hand[code]

    def receive(self, code: str, quantity: int, day: date | None = None, note: str = "") -> None:
        """Add units of an item to the stock."""
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        self._move(code, quantity, day, note)

    def remove(self, code: str, quantity: int, day: date | None = None, note: str = "") -> None:
        """Take units of an item out of the stock."""
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        on_hand = self.on_hand(code)
        if quantity > on_hand:
            raise NotEnoughStock(code, quantity, on_hand)
        self._move(code, -quantity, day, note)

    def _move(self, code: str, quantity: int, day: date | None, note: str) -> None:
        self.get(code)
        self.movements.append(Movement(code, quantity, day or date.today(), note))
        self._on_hand[code] += quantity

    def total_value(self) -> int:
        """Return the value of the whole stock in cents."""
        return sum(item.price_cents * self._on_hand[item.code] for item in self)

    def value_by_category(self) -> dict[str, int]:
        totals: dict[str, int] = defaultdict(int)
        for item in self:
            totals[item.category] += item.price_cents * self._on_hand[item.code]
        return dict(sorted(totals.items()))

    def to_reorder(self) -> list[Item]:
        """Return the items whose stock has fallen to the reorder level."""
        return [item for item in self if self._on_hand[item.code] <= item.reorder_level]

    def check(self) -> bool:
        """Add up the movements again and compare them with the stock."""
        totals: dict[str, int] = defaultdict(int)
        for movement in self.movements:
            totals[movement.code] += movement.quantity
        return all(totals[code] == self._on_hand[code] for code in self.items)


def format_money(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), 100)
    return f"{sign}${dollars:,}.{rest:02d}"


def parse_money(text: str) -> int:
    """Turn a string such as "$1,250.50" or "3" into a number of cents."""
    cleaned = text.strip().replace("$", "").replace(",", "")
    dollars, _, cents = cleaned.partition(".")
    if not dollars.isdigit() or (cents and not cents.isdigit()) or len(cents) > 2:
        raise ValueError(f"not an amount of money: {text!r}")
    return int(dollars) * 100 + int(cents.ljust(2, "0"))


def read_items(path: Path) -> list[Item]:
    """Read items from a CSV file with a header row."""
    items = []
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            items.append(
                Item(
                    code=row["code"].strip(),
                    name=row["name"].strip(),
                    price_cents=parse_money(row["price"]),
                    category=row.get("category") or "general",
                    reorder_level=int(row.get("reorder_level") or 0),
                )
            )
    return items


def save(inventory: Inventory, path: Path) -> None:
    data = {
        "items": [asdict(item) for item in inventory],
        "movements": [
            {**asdict(movement), "day": movement.day.isoformat()}
            for movement in inventory.movements
        ],
    }
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False), encoding="utf-8")


def load(path: Path) -> Inventory:
    data = json.loads(path.read_text(encoding="utf-8"))
    inventory = Inventory()
    for fields in data["items"]:
        inventory.add_item(Item(**fields))
    for fields in data["movements"]:
        day = date.fromisoformat(fields["day"])
        inventory._move(fields["code"], fields["quantity"], day, fields["note"])
    return inventory


def report(inventory: Inventory) -> Iterable[str]:
    """Yield the lines of a plain text report."""
    yield f"{'code':<8} {'name':<24} {'price':>10} {'stock':>6}"
    yield "-" * 51
    for item in inventory:
        stock = inventory.on_hand(item.code)
        yield f"{item.code:<8} {item.name:<24} {item.price:>10} {stock:>6}"
    yield "-" * 51
    yield f"total value: {format_money(inventory.total_value())}"
    for item in inventory.to_reorder():
        yield f"reorder: {item.name} ({inventory.on_hand(item.code)} left)"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Print a report of an inventory.")
    parser.add_argument("file", type=Path, help="inventory in JSON format")
    args = parser.parse_args(argv)
    try:
        inventory = load(args.file)
    except (OSError, KeyError, ValueError, InventoryError) as error:
        parser.error(f"cannot read {args.file}: {error}")
    for line in report(inventory):
        print(line)
    return 0 if inventory.check() else 1


if __name__ == "__main__":
    raise SystemExit(main())
