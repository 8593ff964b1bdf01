"""What a pack shows of itself before anybody plays it."""

import httpx


def test_rooms_and_cards_say_their_rules_in_words(client: httpx.Client) -> None:
    pack = client.get("/v1/packs/second-edition").json()
    cards = {card["id"]: card["rules"] for card in pack["cards"]}
    tiles = {tile["id"]: tile["rules"] for tile in pack["tiles"]}
    assert cards["smelling-salts"] == [
        "HEAL. Choose an explorer in your room as the target. The target raises Knowledge to its starting value. Discard this card."
    ]
    assert tiles["crypt"] == [
        "Basement; door north; event symbol.",
        "At the end of your turn here: take 1 point of mental damage. The traitor may ignore this.",
    ]
    assert all(cards.values())
    assert all(tiles.values())


def test_no_book_of_a_haunt_is_told_before_it_begins(client: httpx.Client) -> None:
    said = client.get("/v1/packs/second-edition").text
    assert "Verses of the rite" not in said
    assert "WHISTLE" not in said
