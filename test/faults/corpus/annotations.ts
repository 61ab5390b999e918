import { hostileTexts } from './hostile-texts.ts';

type Table = Readonly<Record<string, string>>;

const words = (count: number, word = 'x') => JSON.stringify(Array.from({ length: count }, () => word));
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

export const badKillCommands: Table = {
  nothing: '',
  blanks: ' \n\t ',
  'a shell line': 'kill -15 1',
  'a word': 'true; rm -rf /',
  'single quotes': "['sh', '-c', 'kill 1']",
  YAML: '- sh\n- -c',
  'a trailing comma': '["sh",]',
  'a comment': '["sh" /* please */]',
  'two values': '["sh"] ["-c"]',
  'an open list': '["sh", "-c"',
  'an open string': '["sh',
  'a byte order mark': '\ufeff["sh"]',
  'a byte order mark inside': '[\ufeff"sh"]',
  'a raw line feed': '["a\nb"]',
  'a raw tab': '["a\tb"]',
  'a raw NUL': '["a\0b"]',
  'an unknown escape': '["\\x41"]',
  'a short escape': '["\\u00"]',
  'a leading zero': '[01]',
  NaN: 'NaN',
  infinity: '[Infinity]',
  undefined: 'undefined',
  null: 'null',
  true: 'true',
  'a number': '15',
  'a huge number': '1e999',
  'a string': '"kill -15 1"',
  'an object': '{}',
  'an object like a list': '{"0": "sh", "length": 1}',
  'an object with a prototype': '{"__proto__": ["sh"]}',
  'a function by name': '{"toString": "sh", "valueOf": "sh"}',
  'an empty list': '[]',
  'an empty program': '[""]',
  'an empty program with arguments': '["", "-c", "kill 1"]',
  'null in it': '[null]',
  'a number in it': '["kill", -15, 1]',
  'a boolean in it': '["sh", true]',
  'a list in it': '["sh", ["-c"]]',
  'an object in it': '["sh", {"a": 1}]',
  'an object that converts itself': '[{"toString": "sh"}]',
  'NUL in a word': '["sh", "a\\u0000b"]',
  'NUL in the program': '["\\u0000"]',
  'half a character': '["sh", "\\ud83d"]',
  'the other half': '["\\ude00"]',
  'halves the wrong way round': '["sh", "\\ude00\\ud83d"]',
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
  base64: 'WyJzaCJd',
  'a URL': 'javascript:alert(1)',
  HTML: '<list><item>sh</item></list>',
  'wide quotes': '[\u201csh\u201d]',
  'full-width brackets': '\uff3b"sh"\uff3d',
  ...Object.fromEntries(
    Object.entries(hostileTexts).map(([title, text]) => [`not JSON: ${title}`, text] as const),
  ),
};

const step = (value: unknown) => JSON.stringify([value]);

export const badSteps: Table = {
  nothing: '',
  'not JSON': 'signal: [TERM]',
  null: 'null',
  'an object': '{"signal": ["TERM"]}',
  'an empty list': '[]',
  'seventeen steps': JSON.stringify(Array.from({ length: 17 }, () => ({ signal: ['TERM'] }))),
  'a text': '["TERM"]',
  'an empty step': step({}),
  'two methods': step({ signal: ['TERM'], command: ['sh'] }),
  'an unknown method': step({ explode: true }),
  'the name of a method': step({ method: 'Delete' }),
  'a method of a library': step({ own: { name: 'a', does: 'b', rbac: [] } }),
  'a prototype': '[{"__proto__": {"signal": ["TERM"]}}]',
  'an unknown field': step({ signal: ['TERM'], graze: '1s' }),
  'no signal': step({ signal: [] }),
  'an unknown signal': step({ signal: ['STOP'] }),
  'a signal by number': step({ signal: [9] }),
  'a signal with SIG': step({ signal: ['SIGTERM'] }),
  'an empty command': step({ command: [] }),
  'an empty program': step({ command: [''] }),
  'a command as text': step({ command: 'kill 1' }),
  'NUL in a command': step({ command: ['a\0'] }),
  'half a character in a command': '[{"command": ["\\ud83d"]}]',
  '65 words': `[{"command": ${words(65)}}]`,
  'a port of 0': step({ http: { port: 0, path: '/' } }),
  'a port beyond the last': step({ http: { port: 65_536, path: '/' } }),
  'half a port': step({ http: { port: 80.5, path: '/' } }),
  'a port as text': step({ http: { port: '80', path: '/' } }),
  'a path without a slash': step({ http: { port: 80, path: 'quit' } }),
  'a path with a blank': step({ http: { port: 80, path: '/a b' } }),
  'a path with a line feed': step({ http: { port: 80, path: '/ HTTP/1.1\r\nHost: evil' } }),
  'a URL': step({ http: { port: 80, path: 'http://evil.example/' } }),
  'an unknown HTTP method': step({ http: { port: 80, path: '/', method: 'CONNECT' } }),
  'a header with a line feed': step({ http: { port: 80, path: '/', headers: { a: 'b\r\nc: d' } } }),
  'a header with a blank name': step({ http: { port: 80, path: '/', headers: { 'a b': 'c' } } }),
  'a header with a colon': step({ http: { port: 80, path: '/', headers: { 'a:': 'c' } } }),
  'a header beyond ASCII': step({ http: { port: 80, path: '/', headers: { a: '\u{1f600}' } } }),
  'an impossible status': step({ http: { port: 80, path: '/', statuses: [99] } }),
  'a relative file': step({ tombstone: { path: 'graveyard/x' } }),
  'NUL in a file': step({ tombstone: { path: '/a\0' } }),
  'half a character in a file': '[{"tombstone": {"path": "/a", "content": "\\ud83d"}}]',
  'a negative exit code': step({ signal: ['TERM'], exitCode: -1 }),
  'an exit code beyond the last': step({ signal: ['TERM'], exitCode: 256 }),
  'a grace without a unit': step({ signal: ['TERM'], grace: 5 }),
  'a negative grace': step({ signal: ['TERM'], grace: '-5s' }),
  'a condition on nothing': step({ signal: ['TERM'], when: [] }),
  'a condition of no kind': step({ signal: ['TERM'], when: [{ label: 'x' }] }),
  'an image of two words': step({ imageSwap: { image: 'busybox latest' } }),
  'an empty image': step({ imageSwap: { image: '' } }),
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
