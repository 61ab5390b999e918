import { describe, expect, it } from 'vitest';
import { ephemeralContainer } from '../../../src/methods/ephemeral-container.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { WriteResult } from '../../../src/model/ports.ts';
import { steps } from '../../builders/plan.ts';
import { abort, common, isStill, pod, subject, writeRecipient } from './recipient.ts';

const spec = ephemeralContainer.written.parse({ ephemeralContainer: { image: 'busybox:1' } });
const step = steps.EphemeralContainer;

describe('a written ephemeral container', () => {
  it('sends TERM to PID 1 unless something else is written', () => {
    expect(spec).toEqual({
      method: 'EphemeralContainer',
      ephemeralContainer: { image: 'busybox:1', command: ['/bin/sh', '-c', 'kill -15 1'] },
    });
    const own = { ephemeralContainer: { image: 'kill:1', command: ['/kill', '1'] } };
    expect(ephemeralContainer.written.parse(own)).toEqual({ method: 'EphemeralContainer', ...own });
  });

  it.each([{ image: '' }, { image: 'a', command: [] }, { image: 'a', command: [''] }, { image: 'a', x: 1 }])(
    'cannot be %j',
    (written) => {
      expect(ephemeralContainer.written.safeParse({ ephemeralContainer: written }).success).toBe(false);
    },
  );

  it('reads by its command', () => {
    expect(ephemeralContainer.describeSpec(spec)).toBe('from beside: /bin/sh -c kill -15 1');
    expect(ephemeralContainer.describe(step)).toBe('run /bin/sh -c kill -15 1 beside it, in busybox:1');
  });
});

describe('an ephemeral container is unfit', () => {
  it('if it signals PID 1 and that is the pause container, or calls the loopback and that is the node’s', () => {
    const shared = subject({ processNamespace: 'Pod' });
    expect(ephemeralContainer.whyUnfit(spec, shared)).toMatchObject({ reason: 'ShownOtherwise' });
    const other = { ...spec, ephemeralContainer: { image: 'a', command: ['pkill', 'envoy'] } };
    expect(ephemeralContainer.whyUnfit(other, shared)).toBeUndefined();
    const call = { ...spec, ephemeralContainer: { image: 'a', command: ['nc', 'localhost', '1'] } };
    const unfit = ephemeralContainer.whyUnfit(call, subject({ hostNetwork: true }));
    expect(unfit).toEqual({ reason: 'SeesTheNode', detail: 'hostNetwork' });
  });

  it('in a pod in which earlier sweeps have left many, which stay for ever', () => {
    const left = (count: number) => Array.from({ length: count }, (_, index) => `sidecar-sweeper-${index}`);
    const expected = { reason: 'OverBound', detail: 'the pod has 8 ephemeral containers' };
    expect(ephemeralContainer.whyUnfit(spec, subject({ ephemeralContainers: left(8) }))).toEqual(expected);
    expect(ephemeralContainer.whyUnfit(spec, subject({ ephemeralContainers: left(7) }))).toBeUndefined();
  });

  it('but not where the sidecar has a PID namespace of its own', () => {
    expect(ephemeralContainer.whyUnfit(spec, subject())).toBeUndefined();
  });
});

it('an annotation may ask for it; the operator’s last resort still has to have it', () => {
  expect(ephemeralContainer.isAdmitted(spec, { patterns: [], known: [] })).toBe(true);
});

it('the step promises no more than what is written', () => {
  const { image, command } = spec.ephemeralContainer;
  const stepsFor = (written: object) =>
    ephemeralContainer.toSteps(spec, { ...common, ...written }, subject());
  const expected = { ...common, method: 'EphemeralContainer', image, command, grace: 45_000 };
  expect([stepsFor({}), stepsFor({ exitCode: 0 })]).toEqual([[expected], [{ ...expected, exitCode: 0 }]]);
});

describe('for several sidecars', () => {
  const call = (target: string) => {
    const beside = { target, image: 'busybox:1', command: ['/bin/sh', '-c', 'kill -15 1'] };
    return ['addEphemeralContainer', pod, beside, abort, isStill];
  };

  const written = { kind: 'Written' } as const;
  const refused = { kind: 'Refused', message: 'is forbidden' } as const;
  const undelivered = { kind: 'Undelivered', message: 'no connection' } as const;
  const unconfirmed = { kind: 'Unconfirmed', message: 'no answer' } as const;
  const rejected = { kind: 'Rejected', message: 'is invalid' } as const;
  const busy = { kind: 'Busy', message: 'slow down' } as const;
  const accepted = { kind: 'Accepted' } as const;
  const unreached = { kind: 'Unconfirmed', message: 'b was not reached: no connection' } as const;

  // biome-ignore format: one row a line
  it.each<readonly [string, readonly WriteResult[], AttemptResult, targets: readonly string[]]>([
    ['there is one ephemeral container each', [], accepted, ['a', 'b', 'c']],
    ['the first that is refused is the last: the others would be so as well', [refused], refused, ['a']],
    ['so is the first that was not reached', [undelivered], undelivered, ['a']],
    ['the next follows one that may have arrived, which is worth waiting for', [unconfirmed, refused], unconfirmed, ['a', 'b']],
    ['all of them follow, if they may have arrived', [unconfirmed], unconfirmed, ['a', 'b', 'c']],
    ['one that was written is worth waiting for, whatever became of the next', [written, rejected], accepted, ['a', 'b']],
    ['not all are known to have got it if one was not reached', [written, undelivered], unreached, ['a', 'b']],
    ['nor if the server was busy', [written, busy], { ...unreached, message: 'b was not reached: slow down' }, ['a', 'b']],
  ])('%s', async (_title, results, expected, targets) => {
    const { to, calls } = writeRecipient(results, ['a', 'b', 'c']);
    expect(await ephemeralContainer.send(step, to)).toEqual(expected);
    expect(calls).toEqual(targets.map(call));
  });
});
