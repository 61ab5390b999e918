import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenCluster } from '../../src/kube/cluster.ts';
import { almostLists, nothing } from './bodies.ts';
import { reads, renewal, unexpected } from './every-call.ts';
import { openAt, RawServer, wire } from './raw-server.ts';
import { tally } from './tally.ts';

let server: RawServer;
let cluster: OpenCluster;
let answer = wire('');
beforeAll(async () => {
  server = await RawServer.start((socket) => socket.write(answer));
  cluster = await openAt(server.url);
});
afterAll(async () => {
  await cluster.close();
  await server.stop();
});

const calls = { ...reads, ...renewal };

/** Undefined is what the pods of a Job are if they are unknown. */
const unknown = ['Malformed', 'TooLarge', 'Unreadable', 'Unknown', 'Failed', undefined];

const headers = [
  '',
  'content-type: application/json\r\n',
  'content-type: text/html\r\ncontent-encoding: gzip\r\n',
];

async function expectUnknown(body: string | Uint8Array): Promise<void> {
  for (const header of headers) {
    answer = wire(body, { headers: header });
    expect(await unexpected(calls, cluster, unknown), header).toEqual([]);
  }
  tally('badInputs', 'A16', headers.length * Object.keys(calls).length);
}

describe('A16: nothing that the API answers with is taken for nothing:', () => {
  it.each(Object.entries(nothing))('%s', (_title, body) => expectUnknown(body));
});

describe('A16: what is almost a list of pods is no list, least of all an empty one:', () => {
  it.each(Object.entries(almostLists))('%s', (_title, body) => expectUnknown(body));
});
