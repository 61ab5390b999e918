import { describe, expect, it } from 'vitest';
import type { SweepEvent } from '../../../src/events.ts';
import { createNodeReader } from '../../../src/gather/nodes.ts';
import type { NodeReading } from '../../../src/ports.ts';
import type { Problem } from '../../../src/vocabulary.ts';

const abort = new AbortController().signal;

function unreadable(kind: Problem['kind']): NodeReading {
  return { kind: 'Unreadable', problem: { kind, message: `${kind}!` } };
}

/** A reader of nodes that all read like this. */
function reader(reading: NodeReading) {
  const asked: string[] = [];
  const events: SweepEvent[] = [];
  const cluster = {
    async readNode(name: string, signal: AbortSignal) {
      expect(signal).toBe(abort);
      asked.push(name);
      return reading;
    },
  };
  const nodes = createNodeReader(cluster, (event) => events.push(event));
  return { read: (name: string) => nodes.read(name, abort), asked, events };
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
    expect(events).toEqual([warned('Forbidden!')]);
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
