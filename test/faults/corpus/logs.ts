import { safeJson, toLine } from '../../../src/report/json.ts';
import { toRecords } from '../../../src/report/records/write.ts';
import { asJson } from '../../builders/rendered.ts';
import { fullReport } from '../../builders/report.ts';
import { hostileTexts } from './hostile-texts.ts';

const report = fullReport(2);
const records = [...toRecords(report)].map((record) => toLine(record).trimEnd());
const whole = safeJson(report);
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const nestedLog = (depth: number): string =>
  depth === 0 ? '{}' : safeJson({ log: nestedLog(depth - 1), stream: 'stdout' });

export const badLogs: Readonly<Record<string, string>> = {
  nothing: '',
  'line feeds': '\n'.repeat(10_000),
  null: 'null',
  'a record of nothing': '{"run.id":"a"}',
  'a record whose run is an object': '{"run.id":{}}',
  'a report of nothing': '{"kind":"SweepReport"}',
  'a report of another version': whole.replace('sidecar-sweeper.dev/v1', 'sidecar-sweeper.dev/v9'),
  'a report with a prototype': '{"__proto__":{"kind":"SweepReport"},"run.id":"__proto__"}',
  'a report that is cut': whole.slice(0, -1),
  'a report cut in its middle': whole.slice(0, whole.length / 2),
  'an indented report without its end': asJson(report).trimEnd().slice(0, -1),
  'records without the last one': records.slice(0, -1).join('\n'),
  'records that are cut': records.map((record) => record.slice(0, -2)).join('\n'),
  'records of places that are none': records
    .map((record) => record.replace(/"index":\d+/, '"index":-1'))
    .join('\n'),
  'records of texts for places': records
    .map((record) => record.replace(/"index":\d+/, '"index":"0"'))
    .join('\n'),
  'a record in 40 strings': Array.from({ length: 8 }).reduce<string>(
    (text) => JSON.stringify(text),
    'run.id',
  ),
  'Docker in Docker': nestedLog(9),
  'Docker without an end': safeJson({ log: '{"run.id":"a', stream: 'stdout' }).repeat(1),
  'parts that never end': '2026-11-21T04:00:00Z stdout P {"run.id":\n'.repeat(5_000),
  'many sources': Array.from({ length: 5_000 }, (_, index) => `[pod/a/${index}] {`).join('\n'),
  'documents that never end': '{\n'.repeat(5_000),
  'lists in lists': `{"run.id":${deep(50_000)}}`,
  'lists that do not end': `{"run.id":${'['.repeat(50_000)}`,
  'objects in objects': `${'{"a":'.repeat(20_000)}{"run.id":1}${'}'.repeat(20_000)}`,
  'marks and nothing else': 'run.id'.repeat(20_000),
  'braces and nothing else': '{"'.repeat(20_000),
  binary: '\0\u0001\u0002\uffff'.repeat(1_000),
  'a huge number': '{"run.id":"a","index":1e999}',
  ...Object.fromEntries(
    Object.entries(hostileTexts).flatMap(([title, text]) => [
      [`as it is: ${title}`, text],
      [`as a run: ${title}`, safeJson({ 'run.id': text, index: 0, kind: 'Summary', entry: {} })],
      [`as a kind: ${title}`, safeJson({ 'run.id': 'a', index: 0, kind: text, entry: text })],
    ]),
  ),
};
