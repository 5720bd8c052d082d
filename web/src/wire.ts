// What a connection needs of a socket: the tables of this browser provide it too.

import type { Socket } from 'socket.io-client';

/** The part of a Socket.IO socket that the page uses. */
export type Wire = Pick<Socket, 'on' | 'off' | 'timeout' | 'connect' | 'disconnect' | 'connected' | 'active'>;
