import { createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { listening } from '../builders/listening.ts';
import { ownAccount } from './accounts.ts';
import { firstRead, indexesOf, otherWays, playEach, type Way, ways } from './every-request.ts';
import {
  expectGivenUp,
  expectUnharmed,
  FaultyCluster,
  type Played,
  survive,
  type Trouble,
} from './faulty-cluster.ts';
import { relay } from './raw-server.ts';

/** Stands before the server of one client, so that its connections can break without those of others. */
async function breakableProxy(server: string) {
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    sockets.add(client.once('close', () => sockets.delete(client)));
    relay(client, server);
  });
  const port = await listening(proxy);
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `https://127.0.0.1:${port}`,
    end,
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    /** Ends every connection, and refuses new ones. */
    shut() {
      proxy.close();
      end();
    },
    reopen: () => listening(proxy, port),
  };
}

const cluster = FaultyCluster.startedOnce();
const proxies: { shut(): void }[] = [];
afterAll(() => {
  for (const proxy of proxies) proxy.shut();
});

type Break = 'end' | 'reset' | 'shut';

/** Breaks all connections of a sweep when one of its requests has arrived; they may be refused for so long from then on. */
async function broken(way: Way, index: number, how: Break, forMillis = 0): Promise<Trouble> {
  const { emulator, simulated } = cluster;
  const proxy = await breakableProxy(emulator.url);
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
  it.each<readonly [Way, Break]>(every)('that break in a request cost nothing: %s, %s', async (way, how) => {
    survive('A13', await atEach(way, how), expectUnharmed);
  });

  it.each<Way>(['signal', 'swap', 'evict'])('that are refused for 4 s cost nothing: %s', async (way) => {
    survive('A13', await atEach(way, 'shut', 4_000), expectUnharmed);
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

  it.each<Way>(['signal', 'swap', 'evict'])('that are refused for good end the sweep: %s', async (way) => {
    survive('A13', await atEach(way, 'shut', Number.POSITIVE_INFINITY), (one) =>
      expectGivenUp(one, /refuses connections|"Unsettled"/),
    );
  });
});
