import { describe, expect, it } from 'vitest';
import type { OwnSenders } from '../../../src/methods/method.ts';
import { own } from '../../../src/methods/own.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, pod, recipient, subject } from './recipient.ts';

const pause = steps.Own.own;
const spec = own.written.parse({ own: pause });

describe('a method of a library’s user', () => {
  it('says its name, what it does and what it needs', () => {
    expect(spec).toEqual({ method: 'Own', own: pause });
    const { name, does, rbac } = pause;
    for (const written of [
      { does, rbac },
      { name, rbac },
      { name, does },
      { ...pause, price: 'none' },
    ]) {
      expect(own.written.safeParse({ own: written }).success).toBe(false);
    }
    expect(own.written.safeParse({ own: { ...pause, name: '' } }).success).toBe(false);
    expect(own.written.safeParse({ own: { ...pause, does: '' } }).success).toBe(false);
    expect(own.written.safeParse({ own: { ...pause, rbac: [] } }).success).toBe(true);
    const [rule] = pause.rbac;
    expect(own.written.safeParse({ own: { ...pause, rbac: [{ ...rule, verb: 'get' }] } }).success).toBe(
      false,
    );
  });

  it('reads as it says', () => {
    expect(own.describeSpec(spec)).toBe('pause the sidecar');
    expect(own.describe(steps.Own)).toBe('pause the sidecar');
  });

  it('is never unfit, and no annotation may ask for it', () => {
    expect(own.whyUnfit(spec, subject({ processNamespace: 'Node', hostNetwork: true }))).toBeUndefined();
    expect(own.isAdmitted(spec, { patterns: [['pause']], known: [spec] })).toBe(false);
  });

  it('is one step that carries all of it', () => {
    expect(own.toSteps(spec, { ...common, exitCode: 0 }, subject())).toEqual([
      { ...common, method: 'Own', own: pause, exitCode: 0 },
    ]);
  });
});

describe('its step', () => {
  it('is sent by the sender of its name', async () => {
    const calls: Parameters<OwnSenders[string]>[] = [];
    const ownSenders: OwnSenders = {
      async pause(...call) {
        calls.push(call);
        return { kind: 'Unconfirmed', message: 'no answer' };
      },
      resume: async () => ({ kind: 'Accepted' }),
    };
    const to = recipient({}, { ownSenders });
    expect(await own.send(steps.Own, to)).toEqual({ kind: 'Unconfirmed', message: 'no answer' });
    expect(calls).toEqual([[{ cluster: to.cluster, pod, abort }, 'sidecar']]);
  });

  it.each(['pause', 'toString', '__proto__'])('is unsupported if there is no sender: %s', async (name) => {
    const step = { ...steps.Own, own: { ...pause, name } };
    const to = recipient({}, { ownSenders: { resume: async () => ({ kind: 'Accepted' }) } });
    expect(await own.send(step, to)).toEqual({
      kind: 'Unsupported',
      message: `nothing sends steps of the method ${name}`,
    });
  });

  it('is unconfirmed if its sender throws: the error stays with this container', async () => {
    const ownSenders: OwnSenders = {
      async pause() {
        throw new Error('the plugin\nfailed');
      },
    };
    expect(await own.send(steps.Own, recipient({}, { ownSenders }))).toEqual({
      kind: 'Unconfirmed',
      message: 'the method pause failed: the plugin failed',
    });
  });
});
