import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { startedOnce } from '../kit/started.ts';
import { ownAccount } from './accounts.ts';
import { firstRead, indexesOf, otherWays, playEach, type Way, ways } from './every-request.ts';
import {
  FaultyCluster,
  outcomesOf,
  type Played,
  survive,
  type Trouble,
  writtenBlindly,
} from './faulty-cluster.ts';

/** Stands before the server of one client, so that its connections can break without those of others. */
class BreakableProxy {
  readonly #sockets = new Set<Socket>();
  #server: Server;

  private constructor(
    private readonly port: number,
    private readonly target: number,
    server: Server,
  ) {
    this.#server = server;
  }

  static async open(server: string): Promise<BreakableProxy> {
    const target = Number(new URL(server).port);
    const listener = createServer();
    const port = await listen(listener, 0);
    const proxy = new BreakableProxy(port, target, listener);
    proxy.#serve();
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Ends every connection, and refuses new ones. */
  shut(): void {
    this.#server.close();
    this.end();
  }

  async reopen(): Promise<void> {
    this.#server = createServer();
    this.#serve();
    await listen(this.#server, this.port);
  }

  #serve(): void {
    this.#server.on('connection', (client) => {
      const server = connect(this.target, '127.0.0.1');
      this.#sockets.add(client.once('close', () => this.#sockets.delete(client)));
      client.on('error', () => {}).on('close', () => server.destroy());
      server.on('error', () => {}).on('close', () => client.destroy());
      client.pipe(server).pipe(client);
    });
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

const cluster = startedOnce(() => FaultyCluster.start());
const proxies: BreakableProxy[] = [];
afterAll(async () => {
  for (const proxy of proxies) proxy.shut();
});

type Break = 'end' | 'reset' | 'shut';

/** Breaks all connections of a sweep when one of its requests has arrived; they may be refused for so long from then on. */
async function broken(way: Way, index: number, how: Break, forMillis = 0): Promise<Trouble> {
  const { emulator, simulated } = cluster;
  const proxy = await BreakableProxy.open(emulator.url);
  proxies.push(proxy);
  const { tokens, kubeconfig } = ownAccount(emulator);
  const [token = ''] = tokens;
  const run = () => {
    proxy[how]();
    if (how === 'shut' && Number.isFinite(forMillis)) {
      void simulated.simulation.pass(forMillis).then(() => proxy.reopen());
    }
  };
  return {
    ...ways[way],
    account: { tokens, kubeconfig: kubeconfig.replace(emulator.url, proxy.url) },
    trouble: (_namespace, { faults }) => {
      // Before the first request, nothing has arrived.
      if (index < 0) run();
      else void faults.add({ token }, { kind: 'Before', run }, { skip: index, times: 1 });
    },
  };
}

async function atEach(way: Way, how: Break, forMillis?: number): Promise<readonly Played[]> {
  const indexes = await indexesOf(cluster, ways[way], way === 'signal' ? {} : firstRead);
  // A port that refuses before the server has answered anything is told at once.
  const answered = forMillis === 4_000 ? indexes.filter((index) => index > 0) : indexes;
  return playEach(cluster, await Promise.all(answered.map((index) => broken(way, index, how, forMillis))));
}

describe('A13: connections', () => {
  const every = (['signal', ...otherWays] as const).flatMap((way) =>
    (['end', 'reset'] as const).map((how) => [way, how] as const),
  );
  it.each<readonly [Way, Break]>(every)(
    'that break while the server acts on a request cost nothing: %s, %s',
    async (way, how) => {
      survive('A13', await atEach(way, how), ({ report, exitCode, requests }) => {
        expect(outcomesOf(report)[0]?.[0]).toMatch(/^(Ended|Gone)$/);
        expect(exitCode).toBe(0);
        expect(writtenBlindly(requests)).toEqual([]);
      });
    },
  );

  it.each<Way>(['signal', 'swap', 'evict'])('that are refused for 4 s cost nothing: %s', async (way) => {
    survive('A13', await atEach(way, 'shut', 4_000), ({ report, exitCode, requests }) => {
      expect(outcomesOf(report)[0]?.[0]).toMatch(/^(Ended|Gone)$/);
      expect(exitCode).toBe(0);
      expect(writtenBlindly(requests)).toEqual([]);
    });
  });

  it('that are refused before the server has answered anything are told at once, by the address', async () => {
    const played = await playEach(cluster, [
      await broken('signal', -1, 'shut', 4_000),
      await broken('signal', 0, 'shut', 4_000),
    ]);
    survive('A13', played, ({ report, exitCode, took }) => {
      expect(exitCode).toBe(3);
      expect(JSON.stringify(report.unread)).toMatch(/refuses connections/);
      expect(took).toBeLessThan(4_000);
    });
  });

  it.each<Way>(['signal', 'swap', 'evict'])(
    'that are refused for good end the sweep, which says so: %s',
    async (way) => {
      survive('A13', await atEach(way, 'shut', Number.POSITIVE_INFINITY), (one) => {
        const { report, exitCode, took } = one;
        expect(exitCode).toBe(report.unread.length > 0 ? 3 : 4);
        expect(JSON.stringify(report)).toMatch(/refuses connections|"Unsettled"/);
        expect(took).toBeLessThan(300_000);
      });
    },
  );
});
