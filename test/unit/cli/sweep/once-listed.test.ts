import { expect, it } from 'vitest';
import { onceListed } from '../../../../src/cli/sweep/once-listed.ts';
import type { SweepEvent } from '../../../../src/plan/sweep-event.ts';
import { finished, listed, started } from '../../../builders/report.ts';

const warned: SweepEvent = { kind: 'Warned', warning: { kind: 'Unlocked', message: 'leases is forbidden' } };

/** The kinds of the forwarded events. */
function heard(act: (listeners: ReturnType<typeof onceListed>) => void): readonly string[] {
  const kinds: string[] = [];
  act(onceListed(({ kind }) => kinds.push(kind)));
  return kinds;
}

it('a warning is forwarded once, after the first page', () => {
  const kinds = heard(({ emit, later }) => {
    later(warned);
    for (const event of [started(), ...listed(), ...listed(), finished]) emit(event);
  });
  expect(kinds).toEqual(['SweepStarted', 'PageListed', 'Warned', 'PageListed', 'SweepFinished']);
});

it('a later warning is forwarded at once', () => {
  const kinds = heard(({ emit, later }) => {
    for (const event of listed()) emit(event);
    later(warned);
    emit(finished);
  });
  expect(kinds).toEqual(['PageListed', 'Warned', 'SweepFinished']);
});

it('a warning is omitted if nothing could be listed', () => {
  const kinds = heard(({ emit, later }) => {
    later(warned);
    emit(finished);
  });
  expect(kinds).toEqual(['SweepFinished']);
});
