import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowed, matchesWords, shippedAllowlist } from '../../../src/methods/allowlist.ts';
import { parseKillCommand } from '../../../src/plan/owners-steps.ts';
import { readSteps } from '../../../src/policy/validation.ts';

function admitted(...words: readonly string[]): boolean {
  return isAllowed(words, shippedAllowlist);
}

describe('the shipped list admits', () => {
  it.each([
    '["pilot-agent", "request", "POST", "quitquitquit"]',
    '["sh", "-c", "kill -%d 1"]',
    '["sh", "-c", "kill -%d $(pidof entrypoint.sh)"]',
    '["/bin/sh", "-c", "kill -%d 1"]',
    '["pkill", "-f", "/usr/local/bin/pilot-agent"]',
  ])('what annotations have today, verbatim: %s', (text) => {
    const command = parseKillCommand(text);
    if (command.kind === 'Bad') expect.fail(command.problem);
    expect(isAllowed(command.words, shippedAllowlist)).toBe(true);
  });

  it.each([
    [['kill', '-%d', '1']],
    [['/bin/kill', '-%d', '1']],
    [['pkill', 'envoy']],
    [['killall', 'fluent-bit']],
    [['/cloud-sql-proxy', 'shutdown']],
    [['/bin/sh', '-c', 'kill -%d $(pidof my_app-2.0)']],
  ])('%j', (words) => {
    expect(isAllowed(words, shippedAllowlist)).toBe(true);
  });
});

it.each([
  [['rm', '-rf', '/']],
  [['sh']],
  [['sh', '-c']],
  [['sh', '-c', 'kill -%d 1', 'more']],
  [['sh', '-c', 'kill -%d 1; rm -rf /']],
  [['sh', '-c', 'kill -%d 1 ']],
  [['sh', '-c', ' kill -%d 1']],
  [['sh', '-c', 'kill -%d 1\n']],
  [['sh', '-c', 'kill -%d 11']],
  [['sh', '-c', 'kill -%d -1']],
  [['sh', '-x', '-c', 'kill -%d 1']],
  [['bash', '-c', 'kill -%d 1']],
  [['SH', '-c', 'kill -%d 1']],
  [['/tmp/sh', '-c', 'kill -%d 1']],
  [['./pilot-agent', 'request', 'POST', 'quitquitquit']],
  [['pilot-agent', 'request', 'POST', 'quitquitquit', '--debug-port']],
  [['pilot-agent', 'request', '--debug-port', '15020', 'GET', 'config_dump']],
  [['pilot-agent', 'request', 'POST', 'quitquitquit?x']],
  [['pilot-agent']],
  [['kill', '-9', '1']],
  [['/cloud-sql-proxy', 'shutdown', '--admin-port', '1']],
  [[]],
])('the shipped list does not admit %j', (words) => {
  expect(isAllowed(words, shippedAllowlist)).toBe(false);
});

describe('only a word of plain characters can be put in the place of <word>:', () => {
  const word = [
    // pkill takes the first ones for patterns that match every process.
    ...['.', '..', '...', '.-.'],
    ...['x); rm -rf /', 'x)', '(x', '$(x)', '`x`', 'x y', 'x\ty', 'x\ny', 'x\n', '\nx', ' x', 'x '],
    ...['x;y', 'x&y', 'x|y', 'x>y', 'x<y', '$x', '\u0024{x}', '"x"', "'x'", 'x\\y', 'x*', 'x?', '[x]'],
    ...[
      ...['{x,y}', '~x', '!x', '#x', 'x=y', 'x:y', 'x,y', 'x%d', '-x', '-', '--', '-9', '-1', '', 'ẍ'],
      ...['x\u200b', 'х'],
    ],
  ];
  it.each(word)('not %j', (smuggled) => {
    expect(admitted('sh', '-c', `kill -%d $(pidof ${smuggled})`)).toBe(false);
    expect(admitted('pkill', '-f', smuggled)).toBe(false);
    expect(admitted('pkill', smuggled)).toBe(false);
    expect(admitted('killall', smuggled)).toBe(false);
  });

  it('the shell is given one word of plain characters, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 8 }), (smuggled) => {
        fc.pre(!/^[A-Za-z0-9_/.][A-Za-z0-9_/.-]*$/.test(smuggled));
        expect(admitted('sh', '-c', `kill -%d $(pidof ${smuggled})`)).toBe(false);
        expect(admitted('pkill', '-f', smuggled)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a list of the operator’s own', () => {
  it.each<readonly [pattern: readonly string[], words: readonly string[], expected: boolean]>([
    [['quit'], ['quit'], true],
    [['quit'], ['quit', ''], false],
    [['quit', ''], ['quit'], false],
    [['quit', ''], ['quit', ''], true],
    [['<word>ab'], ['ab'], false],
    [['ab<word>ba'], ['aba'], false],
    [['ab<word>ba'], ['abxba'], true],
    // It is a pattern of words, not of shells.
    [['*'], ['quit'], false],
    [['.*'], ['quit'], false],
    // A policy cannot have it, because its words could be told apart in many ways.
    [['<word>/<word>'], ['a/b'], false],
  ])('has %j: does it admit %j? %s', (pattern, words, expected) => {
    expect(isAllowed(words, [pattern])).toBe(expected);
  });

  it('admits nothing if it is empty', () => {
    expect(isAllowed(['quit'], [])).toBe(false);
    expect(isAllowed([], [])).toBe(false);
  });
});

// biome-ignore format: as many as fit on a line
it.each([
  ['kill', 'kill', true], ['kill', 'kil', false], ['kill', 'killall', false], ['', '', true],
  ['.*', 'xx', false], ['<word>', 'envoy', true], ['<word>', '/usr/bin/envoy-1.2', true],
  ['<word>', './-envoy', true], ['<word>', '...', false], ['<word>', './-', false], ['<word>', 'ä', false],
  ['--port=<word>', '--port=15', true], ['--port=<word>', '--port=-1', false],
  ['$(pidof <word>)', '$(pidof envoy)', true], ['$(pidof <word>)', '$(pidof envoy', false],
  ['<word>😀', 'a😀', true], ['a <word> <word>', 'a b ', false],
])('a pattern %j fits %j: %s', (pattern, text, expected) => {
  expect(matchesWords(pattern, text)).toBe(expected);
});

const half = String.fromCharCode(0xd83d);

it.each([
  [{ command: ['sh', '-c', 'a\0b'] }, '0.command.2: a NUL character in it'],
  [{ command: [half] }, '0.command.0: half a character in it'],
])('a step of an annotation that cannot be sent as written is bad: %j', (step, problem) => {
  expect(readSteps(JSON.stringify([step]))).toEqual({
    kind: 'Bad',
    problem: `not a list of steps: ${problem}`,
  });
});
