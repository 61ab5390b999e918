import { describe, expect, it } from 'vitest';
import { describeSign, type Port, portOf, shows } from '../../../src/policy/signs.ts';
import type { PortSpec, Sign } from '../../../src/policy/steps.ts';
import type { ContainerView } from '../../../src/vocabulary.ts';
import { container, podView, running } from '../../builders/pod-view.ts';

const argument = '--port';

/** A sidecar that is started with these words as its args. */
function started(...args: readonly string[]): Partial<ContainerView> {
  return { args };
}

describe('a sign of an argument', () => {
  const sees = (sign: Sign, more: Partial<ContainerView>) =>
    shows(sign, podView(), container('sidecar', running, more));

  it.each<readonly [more: Partial<ContainerView>, value: string | undefined, expected: boolean]>([
    [started('--port'), undefined, true],
    [started('--port=1'), undefined, true],
    [started('--port', '1'), undefined, true],
    [started('--port='), undefined, true],
    [{ command: ['proxy', '--port'] }, undefined, true],
    [{ command: ['proxy'], args: ['--port=1'] }, '1', true],
    [started(), undefined, false],
    [{}, undefined, false],
    [started('--ports'), undefined, false],
    [started('--ports=1'), undefined, false],
    [started('port'), undefined, false],
    [started('a--port=1'), undefined, false],
    [started('--port=1'), '1', true],
    [started('--port', '1'), '1', true],
    [started('--port=1'), '2', false],
    [started('--port=10'), '1', false],
    [started('--port'), 'true', true],
    [started('--port', '--verbose'), 'true', true],
    [started('--port', '--verbose'), '--verbose', false],
    [started('--port=a=b'), 'a=b', true],
  ])('%j with the value %j: %s', (more, value, expected) => {
    const sign: Sign = value === undefined ? { argument } : { argument, value };
    expect(sees(sign, more)).toBe(expected);
  });
});

describe('a sign of an annotation or of a variable', () => {
  const pod = podView({ annotations: { quit: 'true', empty: '' } });
  const sidecar = container('sidecar', running, { env: { QUIT: 'true', EMPTY: '' } });

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
    [{ env: 'EMPTY' }, true],
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

describe('a port', () => {
  const everywhere = { annotation: 'port', argument, env: 'PORT', default: 9 };
  const read = (
    spec: PortSpec,
    annotations: Readonly<Record<string, string>>,
    more: Partial<ContainerView> = {},
  ): Port => portOf(spec, podView({ annotations }), container('sidecar', running, more));

  it('that is written as a number is that one', () => {
    expect(read(15_020, { port: '1' })).toEqual({ kind: 'Port', port: 15_020 });
  });

  it('is read from the annotation, then from the argument, then from the variable, then it is the default', () => {
    const env = { PORT: '3' };
    expect(read(everywhere, { port: '1' }, { ...started('--port=2'), env })).toMatchObject({ port: 1 });
    expect(read(everywhere, {}, { ...started('--port=2'), env })).toMatchObject({ port: 2 });
    expect(read(everywhere, {}, { env })).toMatchObject({ port: 3 });
    expect(read(everywhere, {})).toMatchObject({ port: 9 });
  });

  it.each([
    ['--port=1', 1],
    ['--port 1', 1],
    ['--port=127.0.0.1:15000', 15_000],
    ['--port [::1]:15000', 15_000],
    ['--port=:15000', 15_000],
    ['--port=65535', 65_535],
  ])('%s is %i', (line, port) => {
    expect(read({ argument }, {}, started(...line.split(' ')))).toEqual({ kind: 'Port', port });
  });

  it.each(['--port=0', '--port 0'])('%s: the endpoint is off', (line) => {
    expect(read({ argument, default: 9 }, {}, started(...line.split(' '))).kind).toBe('Off');
  });

  it.each([
    ...[
      '--port=auto',
      '--port=127.0.0.1:0',
      '--port=',
      '--port',
      '--port=65536',
      '--port=99999',
      '--port=100000',
      '--port=-1',
    ],
    ...['--port=1.5', '--port=1e3', '--port=0x10', '--port=1 ', '--port=$(PORT)', '--port=٣'],
  ])('%s tells no port, and the default is not taken for it', (word) => {
    expect(read({ argument, default: 9 }, {}, started(word))).toMatchObject({ kind: 'Untold' });
  });

  it('that nobody tells is told by no name of Object.prototype either', () => {
    expect(read({ annotation: 'constructor', env: '__proto__' }, {})).toMatchObject({ kind: 'Untold' });
    expect(read({}, {})).toMatchObject({ kind: 'Untold' });
  });
});
