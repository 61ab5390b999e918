import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';

interface Target {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

/** Asks a SOCKS5 proxy for a connection (RFC 1928, RFC 1929); the proxy looks the name up. */
export async function openSocks(socket: Socket, { host, port, username, password }: Target): Promise<void> {
  const read = reader(socket);
  socket.write(Buffer.from(username ? [5, 2, 0, 2] : [5, 1, 0]));
  const [, method] = await read(2);
  if (method === 2) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]));
    const [, refused] = await read(2);
    if (refused !== 0) throw new Error('it does not accept the password');
  } else if (method !== 0) throw new Error('it does not accept this kind of authentication');
  const portBytes = Buffer.from([port >> 8, port & 255]);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), address(host), portBytes]));
  const [, reply, , kind] = await read(4);
  if (reply !== 0) throw new Error(`it refuses (SOCKS reply ${reply})`);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : ((await read(1))[0] ?? 0);
  await read(length + 2);
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('a name or password is too long for SOCKS');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function address(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  return Buffer.concat([Buffer.from([3]), counted(host)]);
}

/** Reads exactly so many bytes, so that those that follow are left to whoever uses the connection. */
function reader(socket: Socket): (count: number) => Promise<Buffer> {
  return async (count) => {
    for (;;) {
      const bytes: Buffer | null = socket.read(count);
      if (bytes?.length === count) return bytes;
      if (socket.readableEnded) throw new Error('it closed the connection');
      await Promise.race([once(socket, 'readable'), once(socket, 'end')]);
    }
  };
}
