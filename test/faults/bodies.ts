import { gzipSync } from 'node:zlib';
import { podListBytes } from '../builders/api-pod.ts';
import { readRecording } from '../builders/recordings.ts';
import { protobufOf } from '../kit/emulator/index.ts';

const [inJson, inProtobuf] = readRecording('list-protobuf').exchanges ?? [];
const page = Object(inJson?.body);

export const recorded = Buffer.from(inProtobuf?.bodyBase64 ?? '', 'base64');

export const { items }: { readonly items: readonly { readonly metadata: { readonly uid: string } }[] } = page;
export const uids = items.map(({ metadata }) => metadata.uid);

export const listOf = (list: readonly unknown[] = items, metadata: object = { resourceVersion: '474' }) =>
  podListBytes(list, metadata);

export const whole = listOf();

type Bodies = Readonly<Record<string, string | Uint8Array>>;

const json = (value: unknown) => JSON.stringify(value);
const text = json({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '474' }, items });
const half = Math.floor(text.length / 2);
const magic = Buffer.from('k8s\0');
const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'something broke', code: 500 };
/** Where the list begins: after the magic and the type. */
const listAt = 6 + (whole[5] ?? 0);

function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}

/** Texts that show what they are. */
// biome-ignore format: as many as fit on a line
const texts: readonly string[] = [
  '', ' ', 'null', 'true', '200', 'NaN', '"ok"', '[]', '[null]', '{}', 'ok', 'undefined', '\0', '{"kind":',
  '{kind:"PodList"}', '\ufeff', '"\\ud800"', '404 page not found\n',
  'upstream connect error or disconnect/reset before headers', 'kind: PodList\napiVersion: v1\nitems: []\n',
];

/** What no part of the API answers with, whatever was asked for. */
export const nothing: Bodies = {
  ...Object.fromEntries(texts.map((each) => [json(each), each])),
  'many lines': '\n'.repeat(10_000),
  'a page of HTML': '<!DOCTYPE html><html><body><form action="/login">Sign in</form></body></html>',
  'a page of XML': '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
  'a Status of failure': json(status),
  'a Status of success': json({ ...status, status: 'Success', code: 200 }),
  'a Status in protobuf': Buffer.concat([...protobufOf(status)]),
  'a prototype of a list': '{"__proto__":{"kind":"PodList","metadata":{},"items":[]}}',
  'constructors of a list': '{"constructor":{"prototype":{"kind":"PodList","items":[]}}}',
  'a very deep list': '['.repeat(100_000),
  'a very deep object': '{"a":'.repeat(50_000),
  'bytes that are no UTF-8': Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  'a list in UTF-16': Buffer.from(text, 'utf16le'),
  'the beginning of protobuf': magic,
  'protobuf of nothing': Buffer.concat([magic, Buffer.from([0x0a, 0x00])]),
  'protobuf without its magic': whole.subarray(4),
  'gzip of a list': gzipSync(text),
  'gzip of a gigabyte': gzipSync(Buffer.alloc(8 * 1024 * 1024)),
};

/** What is not quite a list of pods; read as one, it would lack pods. */
export const almostLists: Bodies = {
  'a list in JSON': text,
  'a list behind a byte-order mark': `\ufeff${text}`,
  "a list behind )]}'": `)]}'\n${text}`,
  'two lists': text + text,
  'a list and garbage': `${text}<!-- served by proxy -->`,
  'a list in a list': `[${text}]`,
  'a list in a text': json(text),
  'half a list': text.slice(0, half),
  'the other half of a list': text.slice(half),
  'single quotes': text.replaceAll('"', "'"),
  'no kind': text.replace('"kind":"PodList",', ''),
  'the kind of a pod': text.replace('PodList', 'Pod'),
  'the kind of another list': text.replace('PodList', 'PodTemplateList'),
  'two kinds': `${text.slice(0, -1)},"kind":"Status"}`,
  'a Table': json({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, rows: [] }),
  'protobuf, half': whole.subarray(0, whole.length / 2),
  'protobuf of another kind': renamed('JobList'),
  'protobuf of a kind in another case': renamed('podList'),
  'protobuf of a pod': renamed('Pod\0\0\0\0'),
  'protobuf whose kind comes last': Buffer.concat([magic, whole.subarray(listAt), whole.subarray(4, listAt)]),
  'protobuf without a kind': Buffer.concat([magic, whole.subarray(listAt)]),
  'protobuf with a second kind': Buffer.concat([whole.subarray(0, listAt), renamed('JobList').subarray(4)]),
  'protobuf without its list': whole.subarray(0, listAt),
  'protobuf whose first length is too long': changed(whole, 5, 0x7f),
  'protobuf whose first field is of another type': changed(whole, 4, 0x08),
  'protobuf whose list is of another type': changed(whole, listAt, 0x10),
  'protobuf whose list is longer than it is': changed(whole, listAt + 2, 0x7f),
  'protobuf whose list is shorter than its items': changed(whole, listAt + 2, 0x01),
  'protobuf whose token is a number': changed(recorded, recorded.indexOf('eyJ2') - 2, 0x18),
  'protobuf behind a line break': Buffer.concat([Buffer.from('\n'), whole]),
  'protobuf and garbage': Buffer.concat([whole, Buffer.from('<!-- served by proxy -->')]),
  'protobuf twice': Buffer.concat([whole, whole]),
  'gzip of protobuf': gzipSync(whole),
  'protobuf as text': whole.toString('utf8'),
  'protobuf in base64': recorded.toString('base64'),
};

/** The list under another kind of as many characters. */
function renamed(kind: string): Buffer {
  return Buffer.from(whole.toString('latin1').replace('PodList', kind), 'latin1');
}
