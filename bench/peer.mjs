// The minimal Socket.IO server that Alinea is measured against: rooms, a check of the turn, nothing stored.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer();
const io = new Server(http, { transports: ['websocket', 'polling'] });
const tables = new Map();

io.on('connection', (socket) => {
  socket.on('join', ({ table, side }, ack) => {
    if (!tables.has(table)) tables.set(table, { ply: 0 });
    socket.join(table);
    socket.data.side = side;
    ack({ ok: true });
  });
  socket.on('make-move', ({ table, ply, move }, ack) => {
    const game = tables.get(table);
    if (!game || ply !== game.ply + 1 || socket.data.side !== game.ply % 2) return ack({ ok: false });
    game.ply = ply;
    io.to(table).emit('move-made', { table, ply, move });
    ack({ ok: true, ply });
  });
  socket.on('restart', ({ table }, ack) => {
    tables.set(table, { ply: 0 });
    ack({ ok: true });
  });
});

http.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${http.address().port}`));
