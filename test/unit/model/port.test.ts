import { describe, expect, it } from 'vitest';
import type { ContainerView } from '../../../src/model/pod.ts';
import { describePort, isNamedBy, type Port, type PortSpec, port, portOf } from '../../../src/model/signs.ts';
import { container, podView, running } from '../../builders/pod-view.ts';

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
  it.each<readonly [value: unknown, expected: boolean]>([
    [1, true],
    [65_535, true],
    [0, false],
    [65_536, false],
    [1.5, false],
    ['80', false],
    [{}, true],
    [everywhere, true],
    [{ default: 1 }, true],
    [{ default: 65_535 }, true],
    [{ default: 0 }, false],
    [{ default: 65_536 }, false],
    [{ file: '/port' }, false],
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
  it('is the number that is written', () => {
    expect(read(15_020, { port: '1' })).toEqual({ kind: 'Port', port: 15_020 });
  });

  it('is read from the annotation, else the argument, else the variable, else it is the default', () => {
    const env = { PORT: '3' };
    expect(read(everywhere, { port: '1' }, { ...started('--port=2'), env })).toEqual({
      kind: 'Port',
      port: 1,
    });
    expect(read(everywhere, {}, { ...started('--port=2'), env })).toEqual({ kind: 'Port', port: 2 });
    expect(read(everywhere, {}, { env })).toEqual({ kind: 'Port', port: 3 });
    expect(read(everywhere, {})).toEqual({ kind: 'Port', port: 9 });
  });

  it.each([
    ['--port=1', 1],
    ['--port 1', 1],
    ['--port=127.0.0.1:15000', 15_000],
    ['--port [::1]:15000', 15_000],
    ['--port=:15000', 15_000],
    ['--port=65535', 65_535],
  ])('%s is %i', (line, expected) => {
    expect(read({ argument }, {}, started(...line.split(' ')))).toEqual({ kind: 'Port', port: expected });
  });

  it.each(['--port=0', '--port 0'])('%s: the endpoint is off', (line) => {
    expect(read({ argument, default: 9 }, {}, started(...line.split(' ')))).toEqual({
      kind: 'Off',
      detail: 'the pod sets its port to 0',
    });
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

  it('is not a flag without a value', () => {
    expect(read({ argument, default: 9 }, {}, started('--port'))).toEqual({
      kind: 'Unknown',
      detail: 'not a valid port: true',
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
