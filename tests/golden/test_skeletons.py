"""What a change of words leaves as it was."""

import json

from tests.golden import library
from tests.golden.script import Script
from tests.golden.skeletons import FILE, of_script, skeletons


def test_the_golden_games_have_their_skeletons() -> None:
    assert skeletons() == json.loads(FILE.read_text(encoding="utf-8")), (
        "more than words differs in the golden games: if that is meant, `./dev golden` writes their skeletons anew"
    )


def test_a_skeleton_leaves_out_words_and_nothing_else() -> None:
    path = library.GAMES / "dispute-amend.yaml"
    text = path.read_text(encoding="utf-8")
    whole = of_script(Script(path))

    def still_so(now: str, other: str) -> bool:
        assert now in text
        return of_script(Script(path, text.replace(now, other, 1))) == whole

    assert still_so("attacks Zoe Ingstrom", "goes for Zoe Ingstrom")
    assert still_so("title: 'A dispute: ", "title: 'Another dispute: ")
    assert not still_so("with might. (2E-ATK-005)", "with might. (2E-ATK-006)")
    assert not still_so("    - The speed of Ox Bellows goes up by 1 space. (2E-TRAIT-003)\n", "")
    assert not still_so("[[0, 0, 0, 0, 0], [1, 0, 0]]", "[[0, 0, 0, 0, 0], [0, 1, 0]]")
    assert not still_so("points: {speed: 1}", "points: {might: 1}")
    assert not still_so("- by: seat 0", "- by: seat 1")
    assert not still_so("refused: unfit-amendment", "refused: game-over")
