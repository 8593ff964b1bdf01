"""A golden game that arranges no scene is a request and commands: the service decides it as the file says."""

from pathlib import Path

import msgspec
import pytest

from domain.facts.desk_commands import DeskCommand
from domain.facts.events import ChanceAnswered
from domain.facts.refusal import Refused
from domain.facts.state import State
from service.bootstrap import Service
from service.identity import Caller
from service.log.requests import OpenGame
from tests.golden import library
from tests.golden.script import Game, Script
from tests.golden.stage import Stage, command_of, played
from tests.support.running import HOST, referee, seat, service_on

OTHER_CALLS = ("{type: dispute,", "{type: rule-dispute,", "{type: fork,")
"""What the API takes by calls of their own, and with texts whose digests are salted: `tests/acceptance` plays it."""


def of_commands_alone(path: Path) -> bool:
    """Whether a game arranges no scene, and all of it is commands of a game."""
    text = path.read_text(encoding="utf-8")
    return "\nscene:\n" not in text and not any(call in text for call in OTHER_CALLS)


FROM_THE_START = [path for path in library.files() if of_commands_alone(path)]
QUICK = ("external-haunt", "hidden-spared", "post-movement", "third-buried")
"""Those played by default; all the others by `./dev prove`."""


def request(game: Game, stage: Stage) -> OpenGame:
    """The game's opening as a client would post it, with all that chance answers on a tape."""
    told = [one.event for commit in stage.commits for one in commit if isinstance(one.event, ChanceAnswered)]
    asked = {
        "edition": game.edition,
        "seats": [{"character": explorer} for explorer in game.explorers],
        "options": game.options,
        "setup": {"first_seat": 0, **game.setup},
        "randomness": {
            "source": "tape",
            "answers": [{"pick": one.pick} if one.pick else {"faces": one.faces} for one in told],
        },
        "hotseat": True,
    }
    return msgspec.convert(asked, OpenGame)


async def opened(service: Service, asked: OpenGame) -> str:
    """The id of a game that has been started."""
    made = await service.opening.open(asked, "", b"")
    await service.life.start(Caller(made.answer.game.id, HOST, "host"), "", b"")
    return made.answer.game.id


async def replayed(service: Service, game: Game, name: str) -> State:
    """What the service makes of the steps."""
    for step in game.steps:
        live = await service.tables.live(name)
        written = step.does or step.tries or {}
        if step.by == "everybody":
            actors = [one.seat for one in live.state.open.values() if written.get("option") in one.options]
        else:
            actors = [int(step.by.removeprefix("seat "))]
        for actor in actors:
            command = command_of(live.state, actor, written)
            assert not isinstance(command, DeskCommand), "such games are not played here"
            caller = referee(name) if actor < 0 else seat(name, actor)
            if step.tries is None:
                await service.play.submit_command(caller, command)
                continue
            with pytest.raises(Refused) as refused:
                await service.play.submit_command(caller, command)
            assert (refused.value.rule or refused.value.problem) == step.refused
    return (await service.tables.live(name)).state


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[] if path.stem in QUICK else [pytest.mark.prove])
        for path in FROM_THE_START
    ],
)
async def test_the_service_decides_a_golden_game_as_its_file_says(path: Path) -> None:
    game, stage = played(Script(path), strict=True)
    service = await service_on(packs="second-edition,third-edition")
    try:
        name = await opened(service, request(game, stage))

        state = await replayed(service, game, name)

        own = {field: getattr(stage.state, field) for field in ("game", "options", "setup", "commit")}
        assert msgspec.structs.replace(state, **own) == stage.state
    finally:
        await service.close()
