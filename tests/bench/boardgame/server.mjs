// boardgame.io's own server with a game like that of its tutorial: four players mark the cells of a board, one after another.
// Its default store, which is memory; moves come and go over its own transport. Prints its address once it listens.
import { createRequire } from "node:module";

const { Server } = createRequire(import.meta.url)("boardgame.io/server");
const CELLS = 144;

const marks = {
  name: "marks",
  minPlayers: 4,
  maxPlayers: 4,
  setup: () => ({ cells: Array(CELLS).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return "INVALID_MOVE";
      G.cells[cell] = playerID;
    },
  },
};

const { appServer } = await Server({ games: [marks], origins: [] }).run({ port: 0 });
console.log(`http://127.0.0.1:${appServer.address().port}`);
