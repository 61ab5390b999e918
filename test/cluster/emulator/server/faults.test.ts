import { afterEach, describe, expect, it } from 'vitest';
import { exchange } from '../../../kit/replay/client.ts';
import { messageOf, namesIn, stage } from './stage.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';
const list = { verb: 'list', resource: 'pods' };

afterEach(() => cluster.emulator.faults.clear());

const execRequest = {
  method: 'GET',
  path: `${pods}/target/exec?command=id&container=main&stdout=true`,
  protocols: ['v5.channel.k8s.io'],
};

describe('a scripted fault', () => {
  it('answers instead of the server, the given number of times', async () => {
    const { faults } = cluster.emulator;
    const headers = { 'retry-after': '1', 'content-type': 'application/json' };
    faults.add(list, { kind: 'Answer', status: 429, body: { message: 'slow down' }, headers }, { times: 1 });
    const first = await cluster.ask('GET', pods);
    expect([first.status, messageOf(first), first.headers?.['retry-after']]).toEqual([429, 'slow down', '1']);
    expect((await cluster.ask('GET', pods)).status).toBe(200);
  });

  it('can skip requests, and applies only to matching ones', async () => {
    cluster.emulator.faults.add(list, { kind: 'Answer', status: 500 }, { skip: 1 });
    const statuses = [
      (await cluster.ask('GET', pods)).status,
      (await cluster.ask('GET', '/version')).status,
      (await cluster.ask('GET', pods)).status,
    ];
    expect(statuses).toEqual([200, 200, 500]);
  });

  it('drops the connection', async () => {
    cluster.emulator.faults.add(list, { kind: 'Drop' });
    await expect(cluster.ask('GET', pods)).rejects.toThrow(/socket hang up|ECONNRESET/);
  });

  it('never answers', async () => {
    cluster.emulator.faults.add(list, { kind: 'NeverAnswer' });
    const answer = cluster.ask('GET', pods).catch(() => 'ended with the server');
    const other = await cluster.ask('GET', '/version');
    expect(other.status).toBe(200);
    const first = await Promise.race([answer, Promise.resolve('no answer yet')]);
    expect(first).toBe('no answer yet');
  });

  it('cuts a body', async () => {
    cluster.emulator.faults.add(list, { kind: 'CutBody', bytes: 10 });
    await expect(cluster.ask('GET', pods)).rejects.toThrow(/aborted/);
  });

  it('changes headers', async () => {
    cluster.emulator.faults.add(list, { kind: 'Headers', headers: { 'cache-control': 'max-age=1' } });
    expect((await cluster.ask('GET', pods)).headers?.['cache-control']).toBe('max-age=1');
  });

  it('runs a function first, for example to replace the requested pod', async () => {
    const { faults, world } = cluster.emulator;
    cluster.place('victim');
    faults.add(
      { verb: 'get', resource: 'pods', name: 'victim' },
      {
        kind: 'Before',
        run: () => {
          world.store.delete('pods', 'demo', 'victim');
          cluster.place('victim', { labels: { swapped: 'yes' } });
        },
      },
      { times: 1 },
    );
    expect((await cluster.ask('GET', `${pods}/victim`)).body).toMatchObject({
      metadata: { labels: { swapped: 'yes' } },
    });
  });

  it('sends odd frames instead of an exec', async () => {
    cluster.place('target');
    cluster.emulator.faults.add(
      { subresource: 'exec' },
      {
        kind: 'Frames',
        frames: [new Uint8Array(), Uint8Array.of(9, 65), 'text', Uint8Array.of(3, 0x7b)],
        end: { kind: 'Close', code: 1011 },
      },
    );
    const { frames, close, upgrade } = await exchange(cluster.emulator, execRequest);
    expect(upgrade?.protocol).toBe('v5.channel.k8s.io');
    expect(frames).toEqual([
      { binary: true, channel: -1, text: '' },
      { binary: true, channel: 9, text: 'A' },
      { binary: false, channel: 116, text: 'ext' },
      { binary: true, channel: 3, text: '{' },
    ]);
    expect(close).toEqual({ code: 1011, reason: '' });
  });

  it('ends an exec without a close frame', async () => {
    cluster.emulator.faults.add(
      { subresource: 'exec' },
      { kind: 'Frames', frames: [], end: { kind: 'Terminate' } },
    );
    expect((await exchange(cluster.emulator, execRequest)).close?.code).toBe(1006);
  });

  it('is removed by the function that add returns', async () => {
    const remove = cluster.emulator.faults.add(list, { kind: 'Answer', status: 500 });
    remove();
    expect(namesIn(await cluster.ask('GET', pods))).toEqual(expect.any(Array));
  });
});
