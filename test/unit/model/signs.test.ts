import { describe, expect, it } from 'vitest';
import type { ContainerView } from '../../../src/model/pod.ts';
import { describeSign, type Sign, shows, sign } from '../../../src/model/signs.ts';
import { container, podView, running } from '../../builders/pod-view.ts';

describe('a written sign', () => {
  it.each<readonly [value: unknown, expected: boolean]>([
    [{ annotation: 'a/b' }, true],
    [{ argument: '--quit', value: 'true' }, true],
    [{ env: 'QUIT', value: '' }, true],
    [{}, false],
    [{ value: 'a' }, false],
    [{ env: 'A', argument: '--a' }, false],
    [{ label: 'a' }, false],
    [{ env: 'A', value: 1 }, false],
  ])('%j: is it accepted? %s', (value, expected) => {
    expect(sign.safeParse(value).success).toBe(expected);
  });
});

describe('a sign of an argument', () => {
  const sees = (wanted: Sign, more: Partial<ContainerView>) =>
    shows(wanted, podView(), container('sidecar', running, more));

  it.each<readonly [args: readonly string[], value: string | undefined, expected: boolean]>([
    [['--port'], undefined, true],
    [['--port=1'], undefined, true],
    [['--port', '1'], undefined, true],
    [['--port='], undefined, true],
    [[], undefined, false],
    [['--ports=1'], undefined, false],
    [['--port=1'], '1', true],
    [['--port', '1'], '1', true],
    [['--port=1'], '2', false],
    [['--port=10'], '1', false],
    [['--port='], '', true],
    [['--port=1'], '', false],
    [['--port'], 'true', true],
    [['--port', '--verbose'], 'true', true],
    [['--port', '--verbose'], '--verbose', false],
    [['--port=a=b'], 'a=b', true],
    [['--port=false'], undefined, false],
    [['--port', 'false'], undefined, false],
    [['--port=0'], undefined, false],
    [['--port=false'], 'false', true],
  ])('%j with the value %j: %s', (args, value, expected) => {
    const wanted: Sign = { argument: '--port', ...(value !== undefined && { value }) };
    expect(sees(wanted, { args })).toBe(expected);
    expect(sees(wanted, { command: args })).toBe(expected);
  });
});

describe('a sign of an annotation or of a variable', () => {
  const pod = podView({ annotations: { quit: 'true', empty: '', off: 'false' } });
  const sidecar = container('sidecar', running, { env: { QUIT: 'true', EMPTY: '', OFF: 'False' } });

  it.each<readonly [sign: Sign, expected: boolean]>([
    [{ annotation: 'quit' }, true],
    [{ annotation: 'quit', value: 'true' }, true],
    [{ annotation: 'quit', value: 'false' }, false],
    [{ annotation: 'quit', value: '' }, false],
    [{ annotation: 'empty' }, true],
    [{ annotation: 'empty', value: '' }, true],
    [{ annotation: 'QUIT' }, false],
    [{ annotation: 'toString' }, false],
    [{ annotation: '__proto__' }, false],
    [{ env: 'QUIT' }, true],
    [{ env: 'QUIT', value: 'true' }, true],
    [{ env: 'QUIT', value: 'TRUE' }, false],
    [{ env: 'EMPTY' }, false],
    [{ env: 'EMPTY', value: '' }, true],
    [{ env: 'OFF' }, false],
    [{ env: 'OFF', value: 'False' }, true],
    [{ annotation: 'off' }, false],
    [{ env: 'quit' }, false],
    [{ env: 'constructor' }, false],
    [{ env: '__proto__' }, false],
  ])('%j: %s', (sign, expected) => {
    expect(shows(sign, pod, sidecar)).toBe(expected);
  });
});

it.each<readonly [sign: Sign, text: string]>([
  [{ annotation: 'a/b' }, 'annotation a/b'],
  [{ annotation: 'a/b', value: 'enabled' }, 'annotation a/b=enabled'],
  [{ argument: '--quit' }, 'argument --quit'],
  [{ env: 'QUIT', value: 'true' }, 'variable QUIT=true'],
])('%j reads %s', (sign, text) => {
  expect(describeSign(sign)).toBe(text);
});
