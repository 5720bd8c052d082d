// A game between two players: moves, rejections, endings and chat.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, play, two } from './client.js';
import { serve } from './suite.js';

const server = await serve({ options: ['--limits', '100'] });

test('a move is acknowledged and broadcast with its ply and version', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  const watcher = await new Client(server).at(table);
  const done = await first.move(1, '4');
  assert.equal(done.ply, 1);
  for (const connection of [first, second, watcher]) {
    const made = await connection.moveMade(1);
    assert.deepEqual([made.table, made.side, made.move, made.v], [table, 'first', '4', done.v]);
  }
  // Repeated, it is the same move.
  assert.deepEqual(await first.move(1, '4'), done);
  assert.equal((await second.move(2, '4')).ply, 2);
});

test('boards and legal moves are sent to clients that request them', async () => {
  const { table, first } = await two(server, 'connect-four');
  const watcher = await new Client(server).connect();
  const { snapshot } = await watcher.done('join', { table, view: true });
  assert.equal(snapshot.legal.length, 7);
  await first.move(1, '4');
  const made = await watcher.moveMade(1);
  assert.deepEqual([made.view.rows, made.view.cols, made.view.turn, made.legal.length], [6, 7, 'second', 7]);
  assert.deepEqual(made.view.last, ['d1']);
  assert.equal((await first.moveMade(1)).view, undefined);
});

test('forbidden commands are rejected with a code and change nothing', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  const watcher = await new Client(server).at(table);
  await second.not('not-your-turn', 'make-move', { ply: 1, move: '4' });
  await first.not('future-ply', 'make-move', { ply: 2, move: '4' });
  await first.not('illegal-move', 'make-move', { ply: 1, move: '9' });
  await first.not('illegal-move', 'make-move', { ply: 1, move: 'nonsense' });
  await first.not('bad-message', 'make-move', { ply: 0 });
  await first.not('bad-message', 'make-move', { ply: -1, move: '4' });
  await first.not('bad-message', 'make-move', { ply: '1', move: '4' });
  await first.not('future-ply', 'make-move', { ply: 0, move: '4' });
  await watcher.not('not-seated', 'make-move', { ply: 1, move: '4' });
  await first.refused('unknown-table', 'make-move', { table: '0'.repeat(32), ply: 1, move: '4' });
  await first.move(1, '4');
  await first.not('stale-ply', 'make-move', { ply: 1, move: '3' });
  await second.not('stale-ply', 'make-move', { ply: 1, move: '4' });
  await first.not('nothing-to-answer', 'decline-draw');
  await first.not('nothing-to-answer', 'decline-take-back');
  await first.not('not-over', 'rematch');
  await first.not('too-early', 'claim', { result: 'win' });
  await first.not('bad-message', 'claim', { result: 'everything' });
  const { moves, status } = await new Client(server).get(`/api/tables/${table}`);
  assert.deepEqual([moves.map(({ move }) => move), status], [['4'], 'playing']);
});

test('a move in a full column is rejected with a message', async () => {
  const { first, second } = await two(server, 'connect-four');
  await play(first, second, '1 1 1 1 1 1');
  const { message } = await first.not('illegal-move', 'make-move', { ply: 7, move: '1' });
  assert.match(message, /full/);
});

test('a line wins and is marked on the board', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  await play(first, second, '4 4 5 5 6 6 7');
  for (const connection of [first, second]) {
    const { winner, reason } = await connection.event('ended');
    assert.deepEqual([winner, reason], ['first', 'rules']);
  }
  const { view, result } = await new Client(server).get(`/api/tables/${table}`);
  assert.deepEqual(view.line, ['d1', 'e1', 'f1', 'g1']);
  assert.equal(result.winner, 'first');
  await second.not('game-over', 'make-move', { ply: 8, move: '1' });
  await second.not('game-over', 'resign');
});

test('resigning loses, but aborts the game before both have moved', async () => {
  const early = await two(server, 'connect-four');
  await early.first.move(1, '4');
  await early.second.do('resign');
  const aborted = await early.first.event('ended');
  assert.deepEqual([aborted.winner, aborted.reason], [null, 'aborted']);
  const late = await two(server, 'connect-four');
  await play(late.first, late.second, '4 4');
  await late.second.do('resign');
  const resigned = await late.first.event('ended');
  assert.deepEqual([resigned.winner, resigned.reason], ['first', 'resignation']);
});

test('a draw is offered, declined, offered again and accepted', async () => {
  const { first, second } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  await first.do('offer-draw');
  await second.event('draw-offered', ({ side }) => side === 'first');
  await second.do('decline-draw');
  await first.event('draw-declined');
  await first.not('too-early', 'offer-draw');
  await play(first, second, '4 4', 3);
  await first.do('offer-draw');
  await second.do('offer-draw');
  const { winner, reason } = await first.event('ended');
  assert.deepEqual([winner, reason], [null, 'agreement']);
});

test('a move declines the draw that was offered', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  await play(first, second, '4 4');
  await first.do('offer-draw');
  await play(first, second, '4 4', 3);
  await second.not('nothing-to-answer', 'decline-draw');
  assert.deepEqual((await new Client(server).get(`/api/tables/${table}`)).offers, {});
});

test('an online takeback needs consent', async () => {
  const { table, first, second } = await two(server, 'connect-four', { take_back: true });
  await play(first, second, '4 5');
  await first.do('take-back');
  await second.event('take-back-asked', ({ side }) => side === 'first');
  await second.do('decline-take-back');
  await first.event('take-back-declined');
  await first.do('take-back');
  await second.do('take-back');
  assert.equal((await first.event('taken-back')).ply, 0);
  await first.move(1, '1');
  const { moves } = await first.done('join', { table }).then(({ snapshot }) => snapshot);
  assert.deepEqual(
    moves.map(({ move }) => move),
    ['1'],
  );
});

test('a rematch uses a new table with sides exchanged', async () => {
  const { first, second, clients } = await two(server, 'tic-tac-toe');
  await play(first, second, 'b2 a1');
  await second.do('resign');
  await first.do('rematch');
  await second.event('rematch-offered', ({ side }) => side === 'first');
  await second.do('rematch');
  const { table } = await first.event('rematch');
  assert.equal((await second.event('rematch')).table, table);
  const [ann, ben] = await Promise.all(clients.map((client) => client.at(table)));
  assert.deepEqual([ann.snapshot.you, ben.snapshot.you], [['second'], ['first']]);
  await play(ben, ann, 'b2 a1');
});

test('players chat within limits; spectators only read', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  const watcher = await new Client(server).at(table);
  await first.do('chat', { text: 'good luck' });
  const { text, side } = await watcher.event('chat');
  assert.deepEqual([text, side], ['good luck', 'first']);
  await watcher.not('not-seated', 'chat', { text: 'hello' });
  await first.not('bad-message', 'chat', { text: '' });
  await first.not('bad-message', 'chat', { text: 'x'.repeat(301) });
  await first.not('bad-message', 'chat', { text: 7 });
  for (let i = 0; i < 4; i += 1) await first.do('chat', { text: `word ${i}` });
  await first.not('too-fast', 'chat', { text: 'one too many' });
  await second.do('chat', { text: 'enough' });
});

test('spectators are counted', async () => {
  const { table, first } = await two(server, 'connect-four');
  const watcher = await new Client(server).at(table);
  await first.waitFor('presence', (presence) => presence.table === table && presence.watching === 1);
  watcher.close();
  await first.waitFor('presence', ({ watching }) => watching === 0);
  const { you } = await new Client(server).get(`/api/tables/${table}`);
  assert.deepEqual(you, []);
});

test('a client that leaves a table receives no more events', async () => {
  const { table, first, second } = await two(server, 'connect-four');
  const watcher = await new Client(server).at(table);
  await watcher.do('leave');
  await play(first, second, '4 4');
  await watcher.done('join', { table });
  assert.ok(!watcher.log.received.some(({ name }) => name === 'move-made'));
});

test('every command works over HTTP too', async () => {
  const [ann, ben] = [new Client(server), new Client(server)];
  const { table } = await ann.table('tic-tac-toe', 'link');
  const act = (client, command, body) => client.post(`/api/tables/${table}/${command}`, body);
  await act(ben, 'sit');
  await act(ann, 'make-move', { ply: 1, move: 'b2' });
  const watcher = await new Client(server).at(table);
  assert.equal((await act(ben, 'make-move', { ply: 2, move: 'a1' })).ply, 2);
  await watcher.moveMade(2);
  await ben.refused(409, 'not-your-turn', 'POST', `/api/tables/${table}/make-move`, { ply: 3, move: 'c3' });
  await ann.refused(422, 'illegal-move', 'POST', `/api/tables/${table}/make-move`, { ply: 3, move: 'b2' });
  await ann.refused(404, 'not-found', 'POST', `/api/tables/${table}/win`, {});
  await ann.refused(404, 'unknown-table', 'POST', `/api/tables/${'0'.repeat(32)}/resign`, {});
  assert.equal((await ann.fetch('POST', `/api/tables/${table}/resign`)).status, 200, 'no body is no fields');
  const text = await (await ann.fetch('GET', `/api/tables/${table}/game`)).text();
  assert.match(text, /\[Game "tic-tac-toe"\]/);
  assert.match(text, /\[Result "0-1"\]/);
  assert.match(text, /\[Termination "resignation"\]/);
  assert.match(text, /1\. b2 a1 0-1/);
});
