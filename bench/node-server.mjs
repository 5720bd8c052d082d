// The minimal Node Socket.IO server for comparison: rooms of two players of Connect Four, moves validated, nothing
// stored.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const [ROWS, COLUMNS, RUN] = [6, 7, 4];
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

const http = createServer();
const io = new Server(http, { transports: ['websocket', 'polling'] });
const tables = new Map();

const newGame = () => ({ ply: 0, columns: Array.from({ length: COLUMNS }, () => []), isOver: false });

function isValidMove(game, side, { ply, move }) {
  return !game.isOver && ply === game.ply + 1 && side === game.ply % 2 && game.columns[move - 1]?.length < ROWS;
}

/** Whether the top stone of a column completes a line. */
function isLine({ columns }, column) {
  const row = columns[column].length - 1;
  const side = columns[column][row];
  const count = (x, y, dx, dy) => {
    let found = 0;
    while (columns[(x += dx)]?.[(y += dy)] === side) found += 1;
    return found;
  };
  return DIRECTIONS.some(([dx, dy]) => 1 + count(column, row, dx, dy) + count(column, row, -dx, -dy) >= RUN);
}

io.on('connection', (socket) => {
  socket.on('join', ({ table, side }, ack) => {
    if (!tables.has(table)) tables.set(table, newGame());
    socket.join(table);
    socket.data.side = side;
    ack({ ok: true });
  });
  socket.on('make-move', (made, ack) => {
    const game = tables.get(made.table);
    if (!game || !isValidMove(game, socket.data.side, made)) return ack({ ok: false });
    const { table, ply, move } = made;
    game.columns[move - 1].push(socket.data.side);
    game.ply = ply;
    game.isOver = ply === ROWS * COLUMNS || isLine(game, move - 1);
    io.to(table).emit('move-made', { table, ply, move });
    ack({ ok: true, ply });
  });
  socket.on('restart', ({ table }, ack) => {
    tables.set(table, newGame());
    ack({ ok: true });
  });
});

http.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${http.address().port}`));
