import { describe, expect, it } from 'vitest';
import { openContext, stopReason } from '../../../src/apply/context.ts';
import { Stage } from './stage.ts';

describe('requests in flight', () => {
  it('are not cut while nothing stops', async () => {
    const stage = new Stage();
    await stage.time.advance(3_600_000);
    expect(stage.context.cut.aborted).toBe(false);
  });

  it('are cut 2.5 seconds after a stop, for its reason', async () => {
    const stage = new Stage();
    await stage.time.advance(1_000);
    stage.stop('Deadline');
    await stage.time.advance(2_499);
    expect(stage.context.cut.aborted).toBe(false);
    await stage.time.advance(1);
    expect(stage.context.cut.aborted).toBe(true);
    expect(stage.context.cut.reason).toBe('Deadline');
  });

  it('get as long when the stop came before the beginning', async () => {
    const stage = new Stage();
    stage.stop('LockLost');
    const { context } = openContext(stage.options);
    await stage.time.advance(2_499);
    expect(context.cut.aborted).toBe(false);
    await stage.time.advance(1);
    expect(context.cut.reason).toBe('LockLost');
  });

  it('are cut at once when all is done', async () => {
    const stage = new Stage();
    const { context, end } = openContext(stage.options);
    stage.stop('Signal');
    end();
    await stage.time.advance(0);
    expect(context.cut.reason).toBe('Signal');
  });
});

describe('why a sweep stops', () => {
  it.each(['Deadline', 'LockLost', 'Signal'] as const)('is what it was told: %s', (reason) => {
    expect(stopReason(AbortSignal.abort(reason))).toBe(reason);
  });

  it('is a signal when it was told nothing that is known', () => {
    expect(stopReason(AbortSignal.abort())).toBe('Signal');
  });
});
