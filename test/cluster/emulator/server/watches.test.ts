import { describe, expect, it } from 'vitest';
import { type KubeObject, type Pod, steppedClock } from '../../../kit/emulator/index.ts';
import { stage } from './stage.ts';

const clock = steppedClock();
const cluster = stage({ clock });
const pods = '/api/v1/namespaces/demo/pods';

interface WatchEvent {
  readonly type: string;
  readonly object: KubeObject;
}

/** Watches during an action, until the server ends the watch after ten seconds of its clock. */
async function watchWhile(query: string, act: () => void, headers = {}): Promise<WatchEvent[]> {
  const before = cluster.emulator.requests.length;
  const watching = cluster.ask('GET', `${pods}?watch=true&timeoutSeconds=10&${query}`, {
    lines: true,
    headers,
  });
  while (cluster.emulator.requests.slice(before).every(({ status }) => status === 0)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  act();
  await clock.advance(10_000);
  return (await watching).body as WatchEvent[];
}

const shapes = (events: readonly WatchEvent[]) =>
  events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim());
const version = () => `resourceVersion=${cluster.emulator.world.store.resourceVersion}`;

const relabel = (name: string, labels: Record<string, string>) =>
  cluster.emulator.world.store.update<Pod>('pods', 'demo', name, (pod) => ({
    ...pod,
    metadata: { ...pod.metadata, labels },
  }));

describe('a watch', () => {
  it('without a resourceVersion begins with the current objects', async () => {
    cluster.place('there');
    const events = await watchWhile('', () => cluster.place('later'));
    expect(shapes(events)).toEqual(['ADDED there', 'ADDED later']);
  });

  it('from a resourceVersion sends all later events, including those before its start', async () => {
    const from = version();
    cluster.place('missed');
    const events = await watchWhile(from, () => relabel('missed', { a: 'b' }));
    expect(shapes(events)).toEqual(['ADDED missed', 'MODIFIED missed']);
  });

  it('sends ADDED and DELETED for objects that enter and leave the selection', async () => {
    cluster.place('moving');
    const events = await watchWhile(`labelSelector=in=yes&${version()}`, () => {
      relabel('moving', { in: 'yes' });
      relabel('moving', { in: 'yes', more: 'x' });
      relabel('moving', { in: 'no' });
      relabel('moving', { in: 'still not' });
    });
    expect(shapes(events)).toEqual(['ADDED moving', 'MODIFIED moving', 'DELETED moving']);
    expect(events[2]?.object.metadata.labels).toEqual({ in: 'yes', more: 'x' });
    const [, modified, left] = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(left).toBe((modified ?? 0) + 1);
  });

  it('as a Table has column definitions only once', async () => {
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const events = await watchWhile(
      version(),
      () => {
        cluster.place('row-1');
        cluster.place('row-2');
      },
      headers,
    );
    const tables = events.map(
      ({ object }) => object as unknown as { columnDefinitions: unknown; rows: unknown[] },
    );
    expect(tables.map(({ columnDefinitions, rows }) => [columnDefinitions !== null, rows.length])).toEqual([
      [true, 1],
      [false, 1],
    ]);
  });
});
