import { describe, expect, it } from 'vitest';
import { createNodeReader } from '../../../src/facts/readers.ts';
import type { Cluster } from '../../../src/model/ports.ts';
import type { NodeReading, Problem } from '../../../src/model/reading.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { clusterWith } from '../../builders/cluster.ts';

const abort = new AbortController().signal;

function unreadable(kind: Problem['kind']): NodeReading {
  return { kind: 'Unreadable', problem: { kind, message: `${kind}!` } };
}

/** A reader of nodes that all read like this. */
function reader(reading: NodeReading) {
  const asked: string[] = [];
  const events: SweepEvent[] = [];
  const cluster = clusterWith({
    async readNode(name: string, signal: AbortSignal) {
      expect(signal).toBe(abort);
      asked.push(name);
      return reading;
    },
  });
  const nodes = createNodeReader(cluster, (event) => events.push(event));
  const read = async (name: string) => (await nodes.readAll([name], (work) => work(), abort)).get(name);
  return { read, asked, events };
}

function warned(message: string): SweepEvent {
  return { kind: 'Warned', warning: { kind: 'NodesUnreadable', message } };
}

describe('a node', () => {
  it.each<NodeReading>([
    { kind: 'Ready', platform: 'linux/amd64' },
    { kind: 'NotReady', reason: 'NodeStatusUnknown' },
  ])('that can be read is read each time: $kind', async (reading) => {
    const { read, asked, events } = reader(reading);
    expect(await read('node1')).toEqual(reading);
    expect(await read('node1')).toEqual(reading);
    expect(asked).toEqual(['node1', 'node1']);
    expect(events).toEqual([]);
  });

  it('that may not be read is the last one that is asked for', async () => {
    const { read, asked, events } = reader(unreadable('Forbidden'));
    expect(await read('node1')).toEqual(unreadable('Forbidden'));
    expect(await read('node2')).toEqual(unreadable('Forbidden'));
    expect(asked).toEqual(['node1']);
    const advice =
      'Forbidden!; grant get on nodes by the rule - {apiGroups: [""], resources: [nodes], verbs: [get]}';
    expect(events).toEqual([warned(advice)]);
  });

  it('that cannot be read causes one warning; the next is asked for', async () => {
    const { read, asked, events } = reader(unreadable('TimedOut'));
    expect(await read('node1')).toEqual(unreadable('TimedOut'));
    await read('node2');
    expect(asked).toEqual(['node1', 'node2']);
    expect(events).toEqual([warned('TimedOut!')]);
  });

  it('causes no warning if the sweep was stopped', async () => {
    const { read, asked, events } = reader(unreadable('Interrupted'));
    expect(await read('node1')).toEqual(unreadable('Interrupted'));
    await read('node2');
    expect(asked).toEqual(['node1', 'node2']);
    expect(events).toEqual([]);
  });
});

describe('many nodes', () => {
  const ready = { kind: 'Ready', platform: 'linux/amd64' } as const;
  const gone = { kind: 'NotReady', reason: 'NodeGone' } as const;
  const named = (count: number) => Array.from({ length: count }, (_, number) => `node-${number}`);

  function listing(names: readonly string[], isAllowed = true) {
    const asked: string[] = [];
    const events: SweepEvent[] = [];
    const cluster: Pick<Cluster, 'readNode' | 'listNodes'> = {
      async readNode(name) {
        asked.push(name);
        return names.includes(name) ? ready : gone;
      },
      async listNodes() {
        asked.push('list');
        if (!isAllowed) return { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no list' } };
        return { kind: 'Page', items: names.map((name) => ({ name, reading: ready })), token: undefined };
      },
    };
    const nodes = createNodeReader(cluster, (event) => events.push(event));
    const readAll = (wanted: readonly string[]) => nodes.readAll(wanted, (work) => work(), abort);
    return { readAll, asked, events };
  }

  it('are read by a list, and those that it lacks by name', async () => {
    const { readAll, asked } = listing(named(30));
    const readings = await readAll([...named(20), 'gone']);
    expect(readings).toEqual(
      new Map<string, NodeReading>([...named(20).map((name) => [name, ready] as const), ['gone', gone]]),
    );
    expect(asked).toEqual(['list', 'gone']);
  });

  it('are read one by one if there are few', async () => {
    const { readAll, asked } = listing(named(30));
    await readAll(named(9));
    expect(asked).toEqual(named(9));
  });

  it('are read one by one if they may not be listed, without a warning', async () => {
    const { readAll, asked, events } = listing(named(30), false);
    expect(await readAll(named(10))).toEqual(new Map(named(10).map((name) => [name, ready])));
    await readAll(named(10));
    expect(asked).toEqual(['list', ...named(10), ...named(10)]);
    expect(events).toEqual([]);
  });
});
