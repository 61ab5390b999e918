import { hostileTexts } from './hostile-texts.ts';

type Table = Readonly<Record<string, string>>;

const words = (count: number, word = 'x') => JSON.stringify(Array.from({ length: count }, () => word));
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** By themselves, which says what is wrong with them. */
const untitled = (texts: readonly string[]): Table => Object.fromEntries(texts.map((text) => [text, text]));

// biome-ignore format: as many as fit on a line
const noCommands: readonly string[] = [
  '', ' \n\t ', 'kill -15 1', 'true; rm -rf /', "['sh', '-c', 'kill 1']", '- sh\n- -c', '["sh",]',
  '["sh" /* please */]', '["sh"] ["-c"]', '["sh", "-c"', '["sh', '\ufeff["sh"]', '[\ufeff"sh"]', '["a\nb"]',
  '["a\tb"]', '["a\0b"]', '["\\x41"]', '["\\u00"]', '[01]', 'NaN', '[Infinity]', 'undefined', 'null', 'true',
  '15', '1e999', '"kill -15 1"', '{}', '{"0": "sh", "length": 1}', '{"__proto__": ["sh"]}',
  '{"toString": "sh", "valueOf": "sh"}', '[]', '[""]', '["", "-c", "kill 1"]', '[null]', '["kill", -15, 1]',
  '["sh", true]', '["sh", ["-c"]]', '["sh", {"a": 1}]', '[{"toString": "sh"}]', 'WyJzaCJd',
  'javascript:alert(1)', '<list><item>sh</item></list>', '[\u201csh\u201d]', '\uff3b"sh"\uff3d',
  // NULs, and halves of characters.
  '["sh", "a\\u0000b"]', '["\\u0000"]', '["sh", "\\ud83d"]', '["\\ude00"]', '["sh", "\\ude00\\ud83d"]',
];

export const badKillCommands: Table = {
  ...untitled(noCommands),
  '65 words': words(65),
  '1,000 words': words(1_000),
  'one byte too many': `["${'x'.repeat(4_093)}"]`,
  'too many bytes in few characters': `["${'\u{1f600}'.repeat(1_100)}"]`,
  '256 KiB': `["${'x'.repeat(262_000)}"]`,
  '256 KiB of blanks': `${' '.repeat(262_000)}["sh"]`,
  'lists in lists': nested(2_000),
  '100,000 lists in lists': nested(100_000),
  'lists that do not end': '['.repeat(4_000),
  'objects in objects': `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`,
  ...Object.fromEntries(
    Object.entries(hostileTexts).map(([title, text]) => [`not JSON: ${title}`, text] as const),
  ),
};

const http = (more: object) => ({ http: { port: 80, path: '/', ...more } });

/** What a step cannot be. */
// biome-ignore format: as many as fit on a line
const noSteps: readonly unknown[] = [
  'TERM', {}, { explode: true }, { method: 'Delete' }, { own: { name: 'a', does: 'b', rbac: [] } },
  { signal: ['TERM'], command: ['sh'] }, { signal: ['TERM'], graze: '1s' }, { signal: [] },
  { signal: ['STOP'] }, { signal: [9] }, { signal: ['SIGTERM'] }, { command: [] }, { command: [''] },
  { command: 'kill 1' }, { command: ['a\0'] }, http({ port: 0 }), http({ port: 65_536 }), http({ port: 80.5 }),
  http({ port: '80' }), http({ path: 'quit' }), http({ path: '/a b' }), http({ path: '/ HTTP/1.1\r\nHost: evil' }),
  http({ path: 'http://evil.example/' }), http({ method: 'CONNECT' }), http({ headers: { a: 'b\r\nc: d' } }),
  http({ headers: { 'a b': 'c' } }), http({ headers: { 'a:': 'c' } }), http({ headers: { a: '\u{1f600}' } }),
  http({ statuses: [99] }),
  { signal: ['TERM'], exitCode: -1 }, { signal: ['TERM'], exitCode: 256 }, { signal: ['TERM'], grace: 5 },
  { signal: ['TERM'], grace: '-5s' }, { signal: ['TERM'], when: [] },
  { signal: ['TERM'], when: [{ label: 'x' }] }, { imageSwap: { image: 'busybox latest' } }, { imageSwap: { image: '' } },
];

export const badSteps: Table = {
  ...untitled(['', 'signal: [TERM]', 'null', '{"signal": ["TERM"]}', '[]']),
  ...untitled(noSteps.map((step) => JSON.stringify([step]))),
  ...untitled(['[{"__proto__": {"signal": ["TERM"]}}]', '[{"command": ["\\ud83d"]}]']),
  'seventeen steps': JSON.stringify(Array.from({ length: 17 }, () => ({ signal: ['TERM'] }))),
  '65 words': `[{"command": ${words(65)}}]`,
  'one byte too many': `[{"command": ["${'x'.repeat(4_090)}"]}]`,
  'lists in lists': nested(2_000),
  'a hostile method': `[{${JSON.stringify(hostileTexts['a link'])}: 1}]`,
};

/** Words in which `%d` is the number of TERM. */
// biome-ignore format: as many as fit on a line
const numbered: readonly (readonly [asked: string, sent: string])[] = [
  ['%d', '15'], ['%d%d%d', '151515'], ['%%d', '%15'], ['%%%d%', '%%15%'], ['$&%d$&', '$&15$&'],
  ["$`%d$'", "$`15$'"], ['$1$$%d', '$1$$15'], ['$<name>%d', '$<name>15'],
];

// biome-ignore format: as many as fit on a line
const asTheyAre: readonly string[] = [
  '%', '%s', '%i %u %x %n %p', '%D', '% d', '%1$d', '%9999999d', '%-5d', '%ld', '%2525d', '%25d', '\\u0025d',
  '\u0024{x}', '$(id)', '$(POD_NAME)', '`id`', '{{.Values}}', '; rm -rf / #', '&command=sh&container=main',
  '?container=main', '#fragment', '+ +', 'a=b&c=d', '%00', '%0d%0aHost: evil', '', ' ', 'a\nb',
  '\r\n\r\nGET / HTTP/1.1', '\u001b[31m\u202e', '\u{1f600}',
];

const wholeCommands: readonly (readonly string[])[] = [['x', '"', "'", '\\'], ['--help'], ['../../bin/sh']];

/** Commands that try to make more of `%d`, or of a shell of ours, than there is; as they are sent for TERM. */
// biome-ignore format: one row a line
export const templates: readonly (readonly [asked: readonly string[], sent: readonly string[]])[] = [
  [['%d'], ['15']],
  ...numbered.map(([asked, sent]) => [['x', asked], ['x', sent]] as const),
  ...[...asTheyAre.map((word) => ['x', word]), ...wholeCommands].map((words) => [words, words] as const),
];
