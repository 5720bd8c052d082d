// Every game that the server lists can be played, whichever games those are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from './client.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '100'] });

/// The ids of all games.
const games = async () => (await new Client(server).get('/api/games')).map(({ id, name }) => id ?? name);

test('two people at one screen play every game by the moves that the server offers', async () => {
  for (const game of await games()) {
    const client = new Client(server);
    const { table } = await client.table(game, 'here');
    const connection = await client.at(table);
    const { snapshot } = await connection.done('join', { table, view: true });
    let legal = snapshot.legal;
    // Long games are not played to their end.
    for (let ply = 1; legal.length && ply <= 40; ply += 1) {
      const { move } = legal[(7 * ply) % legal.length];
      await connection.move(ply, move);
      const made = await connection.moveMade(ply);
      assert.equal(made.move, move, game);
      assert.ok(
        made.view.cells.some((piece) => piece !== null),
        game,
      );
      legal = made.legal;
    }
    if (legal.length) await connection.do('resign');
    await connection.event('ended');
  }
});

test('every game has random, levels and the engine, and they answer', async () => {
  for (const game of await games()) {
    for (const name of ['random', 'level:1', 'engine:nodes=2000']) {
      const client = new Client(server);
      const { table } = await client.table(game, { kind: 'program', name }, { side: 'second' });
      const connection = await client.at(table);
      const first = connection.snapshot.moves[0] ?? (await connection.moveMade(1));
      assert.ok(first.move, `${game}, ${name}`);
    }
  }
});
