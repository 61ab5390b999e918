import type { Duplex } from 'node:stream';

/** The requests that the server keeps waiting: for its clock, or for ever. */
export class Waiting {
  readonly #sockets = new Set<Duplex>();

  get count(): number {
    return this.#sockets.size;
  }

  /** Until its client gives up, or until the function that it returns is called. */
  begin(socket: Duplex): () => void {
    const end = () => {
      this.#sockets.delete(socket);
      socket.off('close', end);
    };
    if (socket.destroyed) return end;
    this.#sockets.add(socket);
    socket.once('close', end);
    return end;
  }
}
