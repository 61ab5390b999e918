import { describe, expect, it } from 'vitest';
import { hasProgram } from '../../../src/methods/noop-image.ts';

describe('the shipped image', () => {
  it.each(['sh', '/bin/sh', '/usr/bin/sleep', '/usr/local/bin/envoy', '/cloud-sql-proxy', '/busybox/sh'])(
    'has %s',
    (program) => {
      expect(hasProgram(program)).toBe(true);
    },
  );

  it.each(['', '/opt/agent', 'bin/sh', '/sbin/sh', '/sh', '/bin/', '/bin'])('does not have %j', (program) => {
    expect(hasProgram(program)).toBe(false);
  });
});

it('another image has the programs that the policy says it has, and no others', () => {
  expect(hasProgram('/opt/agent', ['/opt/agent'])).toBe(true);
  expect(hasProgram('/bin/sh', ['/opt/agent'])).toBe(false);
  expect(hasProgram('/bin/sh', [])).toBe(false);
});
