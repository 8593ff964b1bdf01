// boardgame.io's own server with the board of its tutorial, nine cells, for four players who take turns. A mark may be put over
// another one, so that a match goes on. Its default store, which is memory, and its own transport. Prints its address once it listens.
import { createRequire } from "node:module";

const { Server } = createRequire(import.meta.url)("boardgame.io/server");

const marks = {
  name: "marks",
  minPlayers: 4,
  maxPlayers: 4,
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (G.cells[cell] === undefined) return "INVALID_MOVE";
      G.cells[cell] = playerID;
    },
  },
};

const { appServer } = await Server({ games: [marks], origins: [] }).run({ port: 0 });
console.log(`http://127.0.0.1:${appServer.address().port}`);
