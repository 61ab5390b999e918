import { SpdyConnection, type SpdyStream } from '../../spdy/connection.ts';
import type { Answer } from '../answer.ts';
import type { OpenPort } from './port-forward.ts';

interface Pair {
  error?: SpdyStream;
  data?: SpdyStream;
}

/** For every connection, kubectl opens an error stream and a data stream with the same request ID. */
export function forwardOverSpdy(protocol: string, open: OpenPort): Answer {
  return {
    kind: 'Bytes',
    protocol,
    serve(socket) {
      const pairs = new Map<string, Pair>();
      new SpdyConnection(socket, (stream) => {
        const { requestid = '', streamtype, port } = stream.headers;
        const pair = pairs.get(requestid) ?? {};
        pairs.set(requestid, pair);
        if (streamtype === 'error') pair.error = stream;
        if (streamtype === 'data') pair.data = stream;
        if (!pair.error || !pair.data) return;
        pairs.delete(requestid);
        void forward(pair.error, pair.data, Number(port), open);
      });
    },
  };
}

async function forward(error: SpdyStream, data: SpdyStream, port: number, open: OpenPort): Promise<void> {
  try {
    const connected = await open(port);
    // A reset by either side closes the other side.
    connected.on('error', () => data.destroy());
    data.on('error', () => connected.destroy());
    connected.on('close', () => error.end());
    data.pipe(connected).pipe(data);
  } catch (reason) {
    error.end(reason instanceof Error ? reason.message : String(reason));
    data.end();
  }
}
