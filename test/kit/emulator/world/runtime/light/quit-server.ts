import { createServer } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/** A byte stream to an HTTP server that answers one path with `OK` and calls `onQuit`; others are 404. */
export function quitStream(path: string, onQuit: () => void): Duplex {
  const server = createServer((request, response) => {
    const known = request.method === 'POST' && request.url === path;
    if (known) onQuit();
    const body = known ? 'OK\n' : '';
    response.sendDate = false;
    response.writeHead(known ? 200 : 404, { 'Content-Length': body.length, Connection: 'close' });
    response.end(body);
  });
  const [near, far] = duplexPair();
  server.emit('connection', far);
  return near;
}
