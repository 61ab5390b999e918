import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { readLog } from '../../../../src/kube/pods/log.ts';
import { abort, answered, forbidden, timedOut, transportWith } from '../../../builders/transport.ts';

const ref = { namespace: 'demo', name: 'work-x2k9p' };
const read = (answer: Answer, lines = 3) =>
  readLog(transportWith(answer).transport, ref, 'sidecar', lines, abort);
/** What the API server answers, which is not JSON. */
const log = (body: string): Answer => ({ ...answered(200, {}), body }) as Answer;

it('asks for no more lines and bytes than are wanted', async () => {
  const { transport, asked } = transportWith(log(''));
  await readLog(transport, ref, 'sidecar', 20, abort);
  const query = { container: 'sidecar', tailLines: '20', limitBytes: '20480' };
  expect(asked).toEqual([{ path: '/api/v1/namespaces/demo/pods/work-x2k9p/log', query }]);
});

it.each<readonly [title: string, body: string, lines: readonly string[]]>([
  ['is empty', '', []],
  ['ends with a line break', 'one\ntwo\n', ['one', 'two']],
  ['ends without one', 'one\n\ntwo', ['one', '', 'two']],
  ['has more lines than are wanted', 'one\ntwo\nthree\nfour\n', ['two', 'three', 'four']],
  ['could control a terminal', '\u001b[31mred\r\n', ['[31mred']],
])('reads a log that %s', async (_title, body, lines) => {
  expect(await read(log(body))).toEqual({ kind: 'Read', lines });
});

it('cuts long lines, and what a server sends beyond the limit', async () => {
  const reading = await read(log(`${'x'.repeat(5_000)}\nlate`), 1);
  expect(reading).toEqual({ kind: 'Read', lines: [`${'x'.repeat(512)}…`] });
});

it('reads fewer lines if they are so long that the limit takes the last ones away', async () => {
  const long = 'x'.repeat(2_000);
  const cut = log(`one ${long}\ntwo ${long}`.slice(0, 3_072));
  const { transport, asked } = transportWith(cut, log(`two ${long}\nlast\n`));
  const reading = await readLog(transport, ref, 'sidecar', 3, abort);
  expect(reading).toMatchObject({
    kind: 'Read',
    lines: [/^two x/, 'last'].map((line) => expect.stringMatching(line)),
  });
  const queries = ['3', '2'].map((tailLines) => ({ container: 'sidecar', tailLines, limitBytes: '3072' }));
  expect(asked.map(({ query }) => query)).toEqual(queries);
});

it('what was sent to prove who we are is taken out of the lines', async () => {
  const { transport } = transportWith(log('before\nAuthorization: Bearer s3cr3t-t0ken\n'));
  const redact = (text: string) => text.replaceAll('s3cr3t-t0ken', '[redacted]');
  const reading = await readLog({ ...transport, redact }, ref, 'sidecar', 3, abort);
  expect(reading).toEqual({ kind: 'Read', lines: ['before', 'Authorization: Bearer [redacted]'] });
});

it.each([
  [forbidden, 'Forbidden'],
  [timedOut, 'TimedOut'],
])('says why it cannot be read', async (answer, kind) => {
  expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
});
