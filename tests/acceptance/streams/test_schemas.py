"""The schemas of events, as the service answers them."""

import json

import httpx

from openapi.writer.write import EVENTS


def test_the_list_leads_to_the_schema_of_every_type(client: httpx.Client) -> None:
    schemas = json.loads(EVENTS.read_text(encoding="utf-8"))
    listed = client.get("/v1/schemas/events").json()
    assert listed["commit"] == "/v1/schemas/events/commit"
    assert client.get(listed["commit"]).json() == schemas["commit"]
    for name in ("committed", "test"):
        assert client.get(listed[name]).json() == schemas[name]
    assert ["commit", "committed", "test", *(one["type"] for one in listed["types"])] == list(schemas)
    rolled = next(one for one in listed["types"] if one["type"] == "DiceRolled")
    assert (rolled["audience"], rolled["informs"], rolled["since"]) == ("Everybody.", "chance", "0.1.0")
    assert "2E-ROLL-001" in rolled["rules"]
    assert client.get(rolled["schema"]).json() == schemas["DiceRolled"]


def test_a_type_that_is_none_is_told_the_nearest(client: httpx.Client) -> None:
    for written in ("moved", "Movd"):
        answer = client.get(f"/v1/schemas/events/{written}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
        assert answer.json()["detail"] == "There is no such type of event: did you mean `Moved`?"
    told = client.get("/v1/schemas/events/Zzz").json()
    assert told["detail"] == "There is no such type of event: /v1/schemas/events lists all"
    assert client.get("/v1/schemas/events/..%2Fopenapi").status_code in (400, 404)
