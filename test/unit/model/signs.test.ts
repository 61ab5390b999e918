import { describe, expect, it } from 'vitest';
import type { ContainerView } from '../../../src/model/pod.ts';
import {
  describePort,
  describeSign,
  isNamedBy,
  type Port,
  type PortSpec,
  port,
  portOf,
  type Sign,
  shows,
  sign,
} from '../../../src/model/signs.ts';
import { container, podView, running } from '../../builders/pod-view.ts';

it.each<readonly [value: unknown, expected: boolean]>([
  [{ annotation: 'a/b' }, true],
  [{ argument: '--quit', value: 'true' }, true],
  [{ env: 'QUIT', value: '' }, true],
  [{}, false],
  [{ value: 'a' }, false],
  [{ env: 'A', argument: '--a' }, false],
  [{ label: 'a' }, false],
  [{ env: 'A', value: 1 }, false],
])('a written sign %j: is it accepted? %s', (value, expected) => {
  expect(sign.safeParse(value).success).toBe(expected);
});

describe('a sign of an argument', () => {
  const sees = (wanted: Sign, more: Partial<ContainerView>) =>
    shows(wanted, podView(), container('sidecar', running, more));

  // biome-ignore format: as many as fit on a line
  it.each<readonly [args: readonly string[], value: string | undefined, expected: boolean]>([
    [['--port'], undefined, true], [['--port=1'], undefined, true], [['--port', '1'], undefined, true],
    [['--port='], undefined, true], [[], undefined, false], [['--ports=1'], undefined, false],
    [['--port=1'], '1', true], [['--port', '1'], '1', true], [['--port=1'], '2', false],
    [['--port=10'], '1', false], [['--port='], '', true], [['--port=1'], '', false],
    [['--port'], 'true', true], [['--port', '--verbose'], 'true', true],
    [['--port', '--verbose'], '--verbose', false], [['--port=a=b'], 'a=b', true],
    [['--port=false'], undefined, false], [['--port', 'false'], undefined, false],
    [['--port=0'], undefined, false], [['--port=false'], 'false', true], [['--port', ''], '', true],
    [['--port', '-v'], 'true', true], [['--verbose', '--port'], 'true', true],
    [['--port=1', '--port=2'], '1', true], [['x', '--port', '1', '--port=2'], '1', true],
    [['port'], undefined, false], [['a--port=1'], undefined, false],
  ])('%j with the value %j: %s', (args, value, expected) => {
    const wanted: Sign = { argument: '--port', ...(value !== undefined && { value }) };
    expect(sees(wanted, { args })).toBe(expected);
    expect(sees(wanted, { command: args })).toBe(expected);
  });

  // The kubelet replaces a reference; the value of one that the spec does not show is not known.
  it.each<readonly [arg: string, expected: boolean]>([
    ['--port=$(ON)', true],
    ['--port=$(OFF)', false],
    ['--port=$(SECRET)', false],
    ['--port=x-$(ON)', true],
  ])('%s refers to variables: %s', (arg, expected) => {
    const env = { ON: 'true', OFF: 'false' };
    expect(sees({ argument: '--port' }, { args: [arg], env })).toBe(expected);
    expect(sees({ argument: '--port' }, { args: arg.split('='), env })).toBe(expected);
  });

  it('is taken for shown where that is the careful answer, if its value is not known', () => {
    const shown = (wanted: Sign, more: Partial<ContainerView>) =>
      shows(wanted, podView(), container('proxy', running, more), true);
    expect(shown({ argument: '--port' }, { args: ['--port=$(SECRET)'] })).toBe(true);
    expect(shown({ env: 'PORT', value: '1' }, { env: { PORT: '$(SECRET)' } })).toBe(true);
    expect(shown({ env: 'PORT' }, {})).toBe(false);
  });

  it.each<readonly [value: string, expected: boolean]>([
    ['$(ON)', true],
    ['$(OFF)', false],
    ['$(SECRET)', false],
  ])('a variable may refer to another: %s', (PORT, expected) => {
    expect(sees({ env: 'PORT' }, { env: { ON: 'true', OFF: 'false', PORT } })).toBe(expected);
  });

  it('is looked for in the command, then in its arguments, and only among the first of them', () => {
    const wanted = { argument: '--port', value: '1' };
    expect(sees(wanted, { command: ['proxy', '--port=1'], args: ['--port=2'] })).toBe(true);
    expect(sees(wanted, { command: ['proxy', '--port'], args: ['1'] })).toBe(true);
    const args = Array.from({ length: 1_024 }, () => 'x');
    expect(sees(wanted, { args: [...args.slice(1), '--port=1'] })).toBe(true);
    expect(sees(wanted, { args: [...args, '--port=1'] })).toBe(false);
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

const argument = '--port';
const everywhere = { annotation: 'port', argument, env: 'PORT', default: 9 };

function read(
  spec: PortSpec,
  annotations: Readonly<Record<string, string>>,
  more: Partial<ContainerView> = {},
): Port {
  return portOf(spec, podView({ annotations }), container('sidecar', running, more));
}

function started(...args: readonly string[]): Partial<ContainerView> {
  return { args };
}

describe('a written port', () => {
  // biome-ignore format: as many as fit on a line
  it.each<readonly [value: unknown, expected: boolean]>([
    [1, true], [65_535, true], [0, false], [65_536, false], [1.5, false], ['80', false], [{}, true],
    [everywhere, true], [{ default: 1 }, true], [{ default: 65_535 }, true], [{ default: 0 }, false],
    [{ default: 65_536 }, false], [{ file: '/port' }, false],
  ])('%j: is it accepted? %s', (value, expected) => {
    expect(port.safeParse(value).success).toBe(expected);
  });

  it.each<readonly [spec: PortSpec, words: string]>([
    [15_020, '15020'],
    [everywhere, '9'],
    [{ annotation: 'a/port', argument, env: 'PORT' }, '(a/port)'],
    [{ argument, env: 'PORT' }, '(--port)'],
    [{ env: 'PORT' }, '(PORT)'],
  ])('%j reads %s', (spec, words) => {
    expect(describePort(spec)).toBe(words);
  });
});

describe('the port of an endpoint', () => {
  const of = (port: number): Port => ({ kind: 'Port', port });

  it('is read from the annotation, else the argument, else the variable, else it is the default', () => {
    const env = { PORT: '3' };
    expect(read(everywhere, { port: '1' }, { ...started('--port=2'), env })).toEqual(of(1));
    expect(read(everywhere, {}, { ...started('--port=2'), env })).toEqual(of(2));
    expect(read(everywhere, {}, { env })).toEqual(of(3));
    expect(read(everywhere, {})).toEqual(of(9));
    expect(read(15_020, { port: '1' })).toEqual(of(15_020));
  });

  // biome-ignore format: as many as fit on a line
  it.each([
    ['--port=1', 1], ['--port 1', 1], ['--port=127.0.0.1:15000', 15_000], ['--port [::1]:15000', 15_000],
    ['--port=:15000', 15_000], ['--port=65535', 65_535],
  ])('%s is %i', (line, expected) => {
    expect(read({ argument }, {}, started(...line.split(' ')))).toEqual(of(expected));
    const env = { PORT: String(expected) };
    expect(read({ argument }, {}, { ...started('--port=:$(PORT)'), env })).toEqual(of(expected));
  });

  it.each(['--port=0', '--port 0'])('%s: the endpoint is off', (line) => {
    const expected = { kind: 'Off', detail: 'the pod sets its port to 0' };
    expect(read({ argument, default: 9 }, {}, started(...line.split(' ')))).toEqual(expected);
  });

  it.each([
    ...['auto', '127.0.0.1:0', '', '65536', '99999', '100000', '-1'],
    ...['1.5', '1e3', '0x10', '1 ', ' 1', '$(PORT)', '٣', '80/tcp'],
  ])('%j is not a port, and the default does not replace it', (value) => {
    expect(read({ argument, default: 9 }, {}, started(`--port=${value}`))).toEqual({
      kind: 'Unknown',
      detail: `not a valid port: ${value}`,
    });
  });

  it.each<PortSpec>([{}, { annotation: 'port' }, { annotation: 'constructor', env: '__proto__' }])(
    'is unknown if the pod does not set it: %j',
    (spec) => {
      expect(read(spec, {})).toEqual({ kind: 'Unknown', detail: 'the pod does not set its port' });
    },
  );
});

it('a port is named by a known step if it is found where that step looks for it, but for annotations', () => {
  const known = { annotation: 'a', argument: '--b', env: 'C', default: 1 };
  expect(isNamedBy(1, 1)).toBe(true);
  expect(isNamedBy(2, 1)).toBe(false);
  expect(isNamedBy({ default: 1 }, 1)).toBe(false);
  expect(isNamedBy(1, known)).toBe(true);
  expect(isNamedBy(1, { env: 'C' })).toBe(false);
  expect(isNamedBy({ argument: '--b', env: 'C', default: 1 }, known)).toBe(true);
  expect(isNamedBy(known, known)).toBe(false);
});
