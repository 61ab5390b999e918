import { gzipSync } from 'node:zlib';
import { protobufOf } from '../kit/emulator/index.ts';
import { listOf, recorded, whole } from './recorded-page.ts';

type Bodies = Readonly<Record<string, string | Uint8Array>>;

const json = (value: unknown) => JSON.stringify(value);
const text = whole.json.toString();
const half = Math.floor(text.length / 2);
const magic = Buffer.from('k8s\0');
const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'something broke', code: 500 };
const { protobuf } = whole;
/** Where the list begins: behind the magic and the type. */
const listAt = 6 + (protobuf[5] ?? 0);

/** The bytes with some of them replaced. */
function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}

/** What no part of the API answers with, whatever was asked for. */
export const nothing: Bodies = {
  'an empty body': '',
  'a space': ' ',
  'many lines': '\n'.repeat(10_000),
  null: 'null',
  true: 'true',
  'a number': '200',
  NaN: 'NaN',
  'a text': '"ok"',
  'an empty list': '[]',
  'a list of null': '[null]',
  'an empty object': '{}',
  ok: 'ok',
  undefined: 'undefined',
  'a NUL': '\0',
  'half an object': '{"kind":',
  'a key without quotes': '{kind:"PodList"}',
  'a byte-order mark alone': '\ufeff',
  'a page of HTML': '<!DOCTYPE html><html><body><form action="/login">Sign in</form></body></html>',
  'a page of XML': '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
  YAML: 'kind: PodList\napiVersion: v1\nitems: []\n',
  'the text of a proxy': 'upstream connect error or disconnect/reset before headers',
  'the 404 of Go': '404 page not found\n',
  'a Status of failure': json(status),
  'a Status of success': json({ ...status, status: 'Success', code: 200 }),
  'a Status in protobuf': Buffer.concat([...protobufOf(status)]),
  'a prototype of a list': '{"__proto__":{"kind":"PodList","metadata":{},"items":[]}}',
  'constructors of a list': '{"constructor":{"prototype":{"kind":"PodList","items":[]}}}',
  'a very deep list': '['.repeat(100_000),
  'a very deep object': '{"a":'.repeat(50_000),
  'lone surrogates': '"\\ud800"',
  'bytes that are no UTF-8': Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  'a list in UTF-16': Buffer.from(json(listOf([])), 'utf16le'),
  'the beginning of protobuf': magic,
  'protobuf of nothing': Buffer.concat([magic, Buffer.from([0x0a, 0x00])]),
  'protobuf without its magic': protobuf.subarray(4),
  'gzip of a list': gzipSync(text),
  'gzip of a gigabyte': gzipSync(Buffer.alloc(8 * 1024 * 1024)),
};

/** What is not quite a list of pods; read as one, it would lack pods. */
export const almostLists: Bodies = {
  'a list behind a byte-order mark': `\ufeff${json(listOf([]))}`,
  "a list behind )]}'": `)]}'\n${json(listOf([]))}`,
  'two lists': json(listOf([])) + json(listOf([])),
  'a list and garbage': `${json(listOf([]))}<!-- served by proxy -->`,
  'a list in a list': json([listOf([])]),
  'a list in a text': json(json(listOf([]))),
  'half a list': text.slice(0, half),
  'the other half of a list': text.slice(half),
  'a list whose last brace is a bracket': `${json(listOf([])).slice(0, -1)}]`,
  'a list without its last bracket': '{"kind":"PodList","metadata":{},"items":[}',
  'single quotes': "{'kind':'PodList','metadata':{},'items':[]}",
  'a comma too many': '{"kind":"PodList","metadata":{},"items":[],}',
  'a comment': '{"kind":"PodList","metadata":{},"items":[]/* none */}',
  'no kind': json({ apiVersion: 'v1', metadata: {}, items: [] }),
  'the kind of a pod': json({ ...listOf([]), kind: 'Pod' }),
  'the kind of another list': json({ ...listOf([]), kind: 'PodTemplateList' }),
  'the kind in another case': json({ ...listOf([]), kind: 'podlist' }),
  'the kind as a list': json({ ...listOf([]), kind: ['PodList'] }),
  'two kinds': '{"kind":"PodList","metadata":{},"items":[],"kind":"Status"}',
  'a Table': json({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, rows: [] }),
  'no items': json({ kind: 'PodList', apiVersion: 'v1', metadata: {} }),
  'items that are null': json({ ...listOf([]), items: null }),
  'items that are an object': json({ ...listOf([]), items: {} }),
  'items that are a text': json({ ...listOf([]), items: '[]' }),
  'items that are a number': json({ ...listOf([]), items: 0 }),
  'items twice, the second null': '{"kind":"PodList","metadata":{},"items":[],"items":null}',
  'Items in another case': json({ kind: 'PodList', metadata: {}, Items: [] }),
  'items under an escaped key': text.replace('"items"', '"\\u0069tems"'),
  'items far behind their key': text.replace('"items":', `"items"${' '.repeat(100)}:`),
  'metadata that are null': json({ ...listOf([]), metadata: null }),
  'metadata that are a list': json({ ...listOf([]), metadata: [] }),
  'a token that is a number': json(listOf([], { continue: 1 })),
  'a token that is an object': json(listOf([], { continue: {} })),
  'protobuf, half': protobuf.subarray(0, protobuf.length / 2),
  'protobuf of another kind': Buffer.from(
    protobuf.toString('latin1').replace('PodList', 'JobList'),
    'latin1',
  ),
  'protobuf whose first length is too long': changed(protobuf, 5, 0x7f),
  'protobuf whose first field is of another type': changed(protobuf, 4, 0x08),
  'protobuf whose list is longer than it is': changed(protobuf, listAt + 2, 0x7f),
  'protobuf whose list is shorter than its items': changed(protobuf, listAt + 2, 0x01),
  'protobuf in base64': recorded.protobuf.toString('base64'),
};
