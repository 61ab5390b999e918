import { describe, expect, it } from 'vitest';
import { beginPod, next, watchOf } from '../../../src/apply/pod-run.ts';
import type { Sent } from '../../../src/apply/send.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { Observation } from '../../../src/model/reading.ts';
import type { Attempt } from '../../../src/plan/sweep-event.ts';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import { attemptResults, candidate, endedTarget, podPlan, skippedTarget } from '../../builders/plan.ts';
import { exited, now, podWith, waiting } from '../../builders/pod-view.ts';
import {
  ask,
  asked,
  both,
  type Change,
  changes,
  changesContainer,
  type Driven,
  type Driving,
  deletePod,
  drive,
  ends,
  evict,
  kill,
  podOfTwo,
  quit,
  request,
  restarts,
  shows,
  stops,
  swap,
  swappedTo,
  term,
} from './driven-pod.ts';

const { Accepted, Failed, Refused, NoSuchProgram, Unsupported, Immune } = attemptResults;
const { Unconfirmed, NotThere, Busy, Undelivered } = attemptResults;
const rejected = { kind: 'Refused', message: 'denied by a policy' } as const;
const unread = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } } as const;

/** Each different request, in the order of the first of them. */
function distinct({ sent }: Driven): readonly string[] {
  return [...new Set(sent)];
}

function resultsOf({ run }: Driven): readonly (readonly string[])[] {
  return run.sidecars.map(({ attempts }) => attempts.map(({ result }) => result.kind));
}

/** What is known of each sidecar at the end. */
function knownOf({ run }: Driven): readonly string[] {
  return run.sidecars.map((one) => (one.kind === 'Open' ? one.observation.kind : one.outcome.kind));
}

const termKill = [asked([term, kill])];
const two = { pod: podOfTwo(), targets: [asked([], 'a'), asked([], 'b')] } as const;
const ofTwo = (a: readonly PlannedStep[], b: readonly PlannedStep[]) => ({
  pod: podOfTwo(),
  targets: [asked(a, 'a'), asked(b, 'b')],
});

type Row<E> = readonly [title: string, driving: Driving, expected: E];

/** Each row: the requests, with their times. */
function logs(rows: readonly Row<string>[]): void {
  it.each(rows)('%s', (_title, driving, expected) => {
    expect(drive(driving).log).toEqual(expected);
  });
}

/** Each row: the requests without their times, and each once. */
function requests(rows: readonly Row<readonly string[]>[]): void {
  it.each(rows)('%s', (_title, driving, expected) => {
    expect(distinct(drive(driving))).toEqual(expected);
  });
}

describe('own steps go one after the other:', () => {
  // biome-ignore format: one row a line
  logs([
    ['the next when the grace of the one before is over', { targets: termKill }, '0 term; 5000 kill'],
    ['each in its own time', { ...ofTwo([term, kill], [quit]), answers: { 'quit b': [Undelivered, Accepted] } }, '0 term a; 0 quit b; 500 quit b; 5000 kill a'],
    ['nothing after the last', { targets: [asked([quit])] }, '0 quit'],
    ['nothing where none is planned', { targets: [asked([])] }, ''],
    ['of several sidecars side by side', ofTwo([term, kill], [quit]), '0 term a; 0 quit b; 5000 kill a'],
    ['certain ones before uncertain ones, of each sidecar', { pod: podOfTwo(), targets: [asked([quit], 'a', { uncertain: [term] }), asked([], 'b', { uncertain: [term] })] }, '0 quit a; 25000 term a; 25000 term b'],
    ['nothing to a sidecar that was skipped', { pod: podOfTwo(), targets: [skippedTarget('a'), asked([term], 'b')] }, '0 term b'],
  ]);

  it.each([NoSuchProgram, Unsupported, Immune])('at once after one that was $kind', (result) => {
    const driven = drive({ targets: termKill, answers: { term: [result] } });
    expect(driven.log).toEqual('0 term; 0 kill');
    expect(resultsOf(driven)).toEqual([[result.kind, 'Accepted']]);
  });

  it.each([Accepted, Failed])('in its time after one that was $kind', (result) => {
    const driven = drive({ targets: termKill, answers: { term: [result] } });
    expect(driven.log).toEqual('0 term; 5000 kill');
    // After the last one the status may lag.
    expect(driven.elapsed).toBe(30_000);
  });

  it('and every attempt is reported once, for each container that it was for', () => {
    const driven = drive({ ...two, lastResort: [evict] });
    expect(driven.reported).toEqual(['Accepted a+b']);
    expect(driven.attempts).toEqual([{ step: evict, sentAt: now, duration: 0, result: Accepted }]);
  });
});

describe('nothing harsher follows a request that merely failed:', () => {
  it.each([Unconfirmed, NotThere, Busy, Undelivered])('a TERM that was $kind to the end', (result) => {
    const answers = { term: [result] };
    const driven = drive({ targets: termKill, swap, lastResort: [deletePod], answers });
    expect(distinct(driven)).toEqual(['term']);
    expect(new Set(resultsOf(driven).flat())).toEqual(new Set([result.kind]));
  });

  const noUpgrade = { ...Undelivered, noUpgrade: true } as const;
  // biome-ignore format: one row a line
  requests([
    [
      'no other exec follows one whose connection is never upgraded, but what needs none does',
      {
        targets: [asked([term, kill, request('quit')])],
        lastResort: [deletePod],
        answers: { term: [noUpgrade], quit: [Unsupported] },
      },
      ['term', 'quit', 'delete'],
    ],
    ['a step for the pod, while one of its sidecars could not be asked', { ...ofTwo([term], [quit]), lastResort: [evict], answers: { 'quit b': [Undelivered] } }, ['term a', 'quit b']],
    ['a step for the pod, after one that did not arrive', { ...two, lastResort: [evict, deletePod], answers: { 'evict a+b': [Undelivered] } }, ['evict a+b']],
    ['a step for the pod, after one that may have arrived', { ...two, lastResort: [evict, deletePod], answers: { 'evict a+b': [Unconfirmed] } }, ['evict a+b']],
    ['a step for the pod, after a swap of a restarted sidecar that did not arrive', { targets: [asked([term])], swap, lastResort: [evict], answers: { imageswap: [Undelivered] }, after: { 1000: restarts() } }, ['term', 'imageswap']],
    ['a step for the pod, after a sidecar of which no reading has come', { ...ofTwo([term], []), lastResort: [evict], after: { 100: shows(unread), 5001: shows(undefined) } }, ['term a']],
    ['any step, while the pod cannot be read', { ...two, lastResort: [evict, deletePod], after: { 0: shows(unread) } }, []],
    // Another API server may know the permission already.
    ['a KILL, after a TERM that was refused', { targets: termKill, answers: { term: [Refused] } }, ['term']],
    ['but other steps do', { targets: [asked([term, request('quit')])], answers: { term: [Refused] } }, ['term', 'quit']],
    ['a step for the pod goes on after one that was refused', { ...two, lastResort: [evict, deletePod], answers: { 'evict a+b': [rejected] } }, ['evict a+b', 'delete a+b']],
  ]);
});

describe('a step that is blocked is told of, and not sent:', () => {
  const blocked = (step: PlannedStep) => ({ ...step, blocked: 'KnownUnclean' }) as const;
  const both = [blocked(evict), deletePod];
  const broken = 'PromiseBroken' as const;
  const sure = (word: string) => ask(word, { exitCode: 0 });

  // biome-ignore format: one row a line
  it.each<readonly [string, Driving, readonly string[], readonly (readonly string[])[]]>([
    ['the next step follows', { targets: [asked([blocked(term), quit])] }, ['quit'], [['Blocked', 'Accepted']]],
    ['a KILL does not follow the TERM before it', { targets: [asked([blocked(term), kill])] }, [], [['Blocked', 'Blocked']]],
    ['nor a TERM that the gates refuse', { targets: termKill, refuses: { term: 'NoRoomInJob' } }, [], [['Blocked', 'Blocked']]],
    ['a KILL follows the step right before it', { targets: [asked([blocked(quit), term, kill])] }, ['term', 'kill'], [['Blocked', 'Accepted', 'Accepted']]],
    ['a KILL by another method does', { targets: [asked([blocked(request('quit')), kill])] }, ['kill'], [['Blocked', 'Accepted']]],
    ['a step for the pod follows another', { ...two, lastResort: both }, ['delete a+b'], [['Blocked', 'Accepted'], ['Blocked', 'Accepted']]],
    ['a sidecar that breaks a promise is not asked otherwise', { targets: [asked([sure('one'), sure('two')])], refuses: { one: broken } }, [], [['Blocked', 'Blocked']]],
    ['but is swapped', { targets: [asked([sure('one')], 'sidecar', { uncertain: [term] })], swap, refuses: { one: broken } }, ['imageswap'], [['Blocked', 'Accepted']]],
  ])('%s', (_title, driving, sent, results) => {
    const driven = drive(driving);
    expect(driven.sent).toEqual(sent);
    expect(resultsOf(driven)).toEqual(results);
  });

  it('with its reason, which a KILL shares', () => {
    const { attempts, reported, ends: over } = drive({ targets: [asked([blocked(term), kill])] });
    const result = { kind: 'Blocked', reason: 'KnownUnclean' };
    expect(attempts).toEqual(
      [blocked(term), kill].map((step) => ({ step, sentAt: now, duration: 0, result })),
    );
    expect(reported).toEqual(['Blocked', 'Blocked']);
    expect(over).toEqual(['NotSent', 'NotSent']);
  });
});

describe('when a sidecar does not run any more, or that cannot be told,', () => {
  const happen: Readonly<Record<Exclude<Observation['kind'], 'Running' | 'NotStarted'>, Change>> = {
    Exited: ends('sidecar', 143),
    Restarted: restarts(),
    Gone: shows({ kind: 'Gone' }),
    Replaced: shows({ kind: 'Replaced', uid: 'uid-2' }),
    Unreadable: changesContainer('sidecar', { state: { kind: 'Unreported' } }),
  };

  it.each(Object.entries(happen))('nothing more is sent: %s', (kind, change) => {
    const driven = drive({ targets: termKill, after: { 500: change } });
    expect([driven.sent, knownOf(driven)]).toEqual([['term'], [kind]]);
    // Not even the gates are asked.
    expect(driven.ends).toHaveLength(1);
  });

  it.each(Object.entries(happen))('nothing is sent before the first step: %s', (kind, change) => {
    const driven = drive({ targets: termKill, after: { 0: change } });
    expect([driven.sent, knownOf(driven), resultsOf(driven)]).toEqual([[], [kind], [[]]]);
  });

  it('nothing is sent to a pod that is no longer stuck', () => {
    const driven = drive({
      targets: termKill,
      lastResort: [deletePod],
      after: { 500: changes({ deleting: true }) },
    });
    expect([driven.sent, knownOf(driven)]).toEqual([['term'], ['Skipped']]);
  });
});

describe('a status that lags is not a sidecar that runs:', () => {
  const one = { targets: [asked([term])], lastResort: [deletePod] };
  // biome-ignore format: one row a line
  logs([
    ['nothing harsher follows while it may have ended', { ...one, after: { 14000: ends() } }, '0 term'],
    ['until no status can be that late', { ...one, after: { 26000: ends() } }, '0 term; 25000 delete'],
    ['at once if it has answered since', { targets: [asked([term, ask('hup')])], lastResort: [deletePod], answers: { hup: [Immune] } }, '0 term; 5000 hup; 5000 delete'],
    ['not when it is unclear whether it ended', { ...one, after: { 9000: shows(unread) } }, '0 term'],
    ['when the pod could not be read just before', { ...one, after: { 24300: shows(unread), 25100: shows(undefined) } }, '0 term; 25500 delete'],
    ['when the pod can be read again', { ...one, after: { 9000: shows(unread), 20000: shows(undefined) } }, '0 term; 25000 delete'],
  ]);

  // biome-ignore format: one row a line
  it.each<readonly [string, Driving, number]>([
    ['one that was sent a step gets the time', { targets: [asked([term])] }, 25_000],
    ['one that nothing was sent to needs no proof', { targets: [asked([])] }, 0],
    ['one whose request did not work needs none', { targets: [asked([term])], answers: { term: [Refused] } }, 0],
  ])('%s', (_title, driving, elapsed) => {
    expect(drive(driving).elapsed).toBe(elapsed);
  });
});

describe('a last resort', () => {
  const lastResort = [evict, deletePod];
  // biome-ignore format: one row a line
  logs([
    ['is for all that outlived their steps, by one request', { ...ofTwo([term], [term]), lastResort: [swap] }, '0 term a; 0 term b; 25000 imageswap a+b'],
    ['is for none when all have ended', { targets: termKill, lastResort, after: { 500: ends() } }, '0 term'],
    ['leaves out those that have ended', { ...ofTwo([term], [term]), lastResort: [swap], after: { 500: ends('a') } }, '0 term a; 0 term b; 25000 imageswap b'],
    ['is followed by the next while one is left', { ...two, lastResort, after: { 500: ends('b') } }, '0 evict a+b; 25000 delete a'],
    ['is for one that was restarted, too', { targets: [asked([term])], lastResort: [swap], after: { 500: restarts() } }, '0 term; 500 imageswap'],
    ['is not sent to a pod that is gone', { ...two, lastResort, after: { 0: shows({ kind: 'Gone' }) } }, ''],
    ['ends when the pod is no longer stuck', { ...two, lastResort, after: { 500: changes({ deleting: true }) } }, '0 evict a+b'],
    ['does not follow a swap whose image does not start', { targets: [asked([])], lastResort: [swap, deletePod], after: { 500: swappedTo({ state: waiting('ErrImagePull') }) } }, '0 imageswap'],
    ['does not follow a swap that may be under way', { targets: [asked([])], lastResort: [swap, deletePod] }, '0 imageswap'],
    ['follows a swap that was refused', { targets: [asked([])], lastResort: [swap, deletePod], answers: { imageswap: [rejected] } }, '0 imageswap; 0 delete'],
  ]);

  it('ends all others when one was not sent, and leaves what was sent before to a read', () => {
    const after = { 4500: changes({ deleting: true }) };
    const driven = drive({ targets: [asked([term])], lastResort, after });
    expect([driven.sent, driven.ends]).toEqual([['term'], ['Unseen', 'NotSent']]);
    expect(driven.run.sidecars).toMatchObject([{ kind: 'Open', attempts: [{ step: term }] }]);
    const untouched = drive({ ...two, lastResort, after: { 0: changes({ deleting: true }) } });
    expect(knownOf(untouched)).toEqual(['Skipped', 'Skipped']);
    const oneEnded = drive({
      ...ofTwo([term], []),
      lastResort,
      after: { 0: both(ends('a'), changes({ deleting: true })) },
    });
    expect(knownOf(oneEnded)).toEqual(['Exited', 'Skipped']);
  });

  it('that did not arrive leaves the end that was seen before, of which gates are told once', () => {
    const answers = { imageswap: [Undelivered] };
    const driven = drive({ targets: [asked([term])], swap, answers, after: { 1000: restarts() } });
    expect([driven.ends, driven.late]).toEqual([['Unclean', 'NotSent'], []]);
  });

  it('is no attempt for a sidecar that had ended by itself before', () => {
    const driven = drive({ ...two, lastResort: [evict], after: { 0: ends('a') } });
    expect([driven.log, resultsOf(driven)]).toEqual(['0 evict b', [[], ['Accepted']]]);
    expect(driven.reported).toEqual(['Accepted b']);
  });

  it('is for the instance that runs by then, which is watched from then on', () => {
    const driven = drive({ targets: [asked([term])], lastResort: [swap], after: { 500: restarts() } });
    const watched = { container: 'sidecar', containerId: 'containerd://sidecar-1', swappedFor: 'noop:1' };
    expect(driven.run.sidecars).toMatchObject([{ watched, observation: { kind: 'Running' } }]);
  });
});

describe('where an image swap is allowed before uncertain steps,', () => {
  const quitTerm = (name = 'sidecar') => asked([quit], name, { uncertain: [term] });
  const both = { pod: podOfTwo(), targets: [quitTerm('a'), quitTerm('b')], swap };
  const refused = { imageswap: [rejected] };
  // biome-ignore format: one row a line
  logs([
    ['one that ends by a certain step is not swapped', { targets: [quitTerm()], swap, after: { 500: ends() } }, '0 quit'],
    ['those that are left are, by one request, and nothing uncertain follows', { ...both, lastResort: [deletePod] }, '0 quit a; 0 quit b; 25000 imageswap a+b'],
    ['those that have ended are not', { ...both, after: { 500: ends('b') } }, '0 quit a; 0 quit b; 25000 imageswap a'],
    ['an uncertain step follows a swap that was refused', { targets: [quitTerm()], swap, answers: refused }, '0 quit; 25000 imageswap; 25000 term'],
    ['one whose image cannot be swapped is left out', { ...both, swap: { ...swap, only: ['b'] } }, '0 quit a; 0 quit b; 25000 imageswap b; 50000 term a'],
    ['none is swapped while one could not be asked', { ...both, answers: { 'quit b': [NotThere] } }, '0 quit a; 0 quit b; 25000 term a'],
  ]);

  it('a swap that the gates refuse is followed by what is uncertain', () => {
    const driven = drive({ targets: [quitTerm()], swap, refuses: { imageswap: 'NoRoomInJob' } });
    expect(driven.sent).toEqual(['quit', 'term']);
    expect(resultsOf(driven)).toEqual([['Accepted', 'Blocked', 'Accepted']]);
  });
});

describe('a proxy', () => {
  const app = asked([quit, term], 'a');
  const mesh = asked([quit, term], 'b', { turn: 2 });
  const database = asked([quit, term], 'c', { turn: 1 });
  const podOfThree = podWith(['a', 'b', 'c']);
  const pod = podOfTwo();
  const lost = { kind: 'NotAttempted', reason: 'NodeUnreachable' } as const;
  const waits = { kind: 'Skipped', reason: { kind: 'NotRunning', state: 'CrashLoopBackOff' } } as const;
  const swapRefused = { 'imageswap a+b': [rejected] };
  const late = (target: typeof app) => ({ ...target, steps: [quit], uncertain: [term] });
  // biome-ignore format: one row a line
  logs([
    ['is asked after the others have ended', { pod, targets: [mesh, app], after: { 7000: ends('a'), 9000: ends('b') } }, '0 quit a; 5000 term a; 7000 quit b'],
    ['is not asked while one of them runs', { pod, targets: [app, mesh] }, '0 quit a; 5000 term a'],
    ['is asked at once without others', { pod, targets: [mesh] }, '0 quit b; 5000 term b'],
    ['is not asked while one runs that was skipped', { pod, targets: [skippedTarget('a'), mesh] }, ''],
    ['is not asked while one runs whose node was lost', { pod, targets: [{ ...skippedTarget('a'), outcome: lost }, mesh] }, ''],
    ['is not asked while one waits to start again', { pod, targets: [{ ...skippedTarget('a'), outcome: waits }, mesh] }, ''],
    ['is asked at once beside one that ends after all others', { pod, targets: [{ ...skippedTarget('a'), turn: 2 }, mesh] }, '0 quit b; 5000 term b'],
    ['is asked at once beside others that had ended', { pod, targets: [endedTarget('a'), mesh] }, '0 quit b; 5000 term b'],
    ['is ended by the last resort with the others', { pod, targets: [app, mesh], lastResort: [evict] }, '0 quit a; 5000 term a; 30000 evict a+b'],
    ['is swapped with the others', { pod, targets: [app, mesh], swap }, '0 quit a; 5000 term a; 30000 imageswap a+b'],
    ['is not swapped while one runs that cannot be swapped', { pod, targets: [app, mesh], swap: { ...swap, only: ['b'] } }, '0 quit a; 5000 term a'],
    ['is not swapped while one runs that was skipped', { pod, targets: [skippedTarget('a'), mesh], swap }, ''],
    ['is left by a last resort as well while one runs that was skipped', { pod, targets: [skippedTarget('a'), mesh], lastResort: [evict] }, ''],
    ['ends with the pod if that is the last resort for another', { pod, targets: [app, mesh, skippedTarget('c')], lastResort: [evict] }, '0 quit a; 5000 term a; 30000 evict a+b'],
    ['is asked after one that cannot be swapped', { pod, targets: [late(app), mesh], swap: { ...swap, only: ['b'] }, after: { 26000: ends('a') } }, '0 quit a; 25000 term a; 26000 quit b; 31000 term b'],
    [
      'takes all of its steps after others that end by uncertain ones',
      { pod, targets: [late(app), late(mesh)], swap, answers: swapRefused, after: { 26000: ends('a') } },
      '0 quit a; 25000 imageswap a+b; 25000 term a; 26000 quit b; 31000 term b',
    ],
    ['takes its uncertain steps alone if the certain ones were taken', { pod, targets: [late(mesh)], swap, answers: { 'imageswap b': [rejected] } }, '0 quit b; 25000 imageswap b; 25000 term b'],
  ]);

  // biome-ignore format: one row a line
  logs([
    ['of a database is asked after those that may use it, and before the mesh proxy', { pod: podOfThree, targets: [mesh, database, app], after: { 1000: ends('a'), 2000: ends('c'), 3000: ends('b') } }, '0 quit a; 1000 quit c; 2000 quit b'],
    ['of a database is not asked while one runs that may use it', { pod: podOfThree, targets: [database, app] }, '0 quit a; 5000 term a'],
    ['of a database is asked although the mesh proxy was skipped', { pod: podOfThree, targets: [database, { ...skippedTarget('b'), turn: 2 }] }, '0 quit c; 5000 term c'],
    ['of a database is asked although the mesh proxy runs', { pod: podOfThree, targets: [database, mesh] }, '0 quit c; 5000 term c'],
    ['is asked after others that only the last resort ended, before a harsher one', { pod, targets: [{ ...app, steps: [] }, mesh], lastResort: [{ ...swap, only: ['a'] }, evict], after: { 2000: ends('a'), 4000: ends('b') } }, '0 imageswap a; 2000 quit b'],
    ['of a database is not swapped while one runs that cannot be', { pod: podOfThree, targets: [database, app], swap: { ...swap, only: ['c'] } }, '0 quit a; 5000 term a'],
  ]);
});

describe('the waits for a pod together last no longer than allowed:', () => {
  const slow = ask('slow', { grace: 3_600_000 });
  const limited = { maxGrace: 20_000 };

  it.each<readonly [string, Driving]>([
    ['none of its own steps follows', { targets: [asked([slow, kill])] }],
    ['none that is uncertain', { targets: [asked([slow], 'sidecar', { uncertain: [term] })] }],
    ['none for the pod', { targets: [asked([slow])], swap, lastResort: [evict] }],
  ])('%s a step whose wait was cut while it may still work', (_title, driving) => {
    const driven = drive({ ...driving, ...limited });
    expect([driven.sent, driven.elapsed]).toEqual([['slow'], 20_000]);
    expect(driven.run.sidecars).toMatchObject([{ attempts: [{ due: now + 3_600_000 }] }]);
  });

  it('what is sent last has ten seconds to show, its status ten more, and waits side by side count once', () => {
    const steps15 = ask('first', { grace: 15_000 });
    const driven = drive({ ...ofTwo([steps15, slow], [steps15]), ...limited });
    expect(driven.log).toEqual('0 first a; 0 first b; 15000 slow a');
    const dues = driven.run.sidecars.map((one) => one.attempts.map(({ due }) => due));
    expect(dues).toEqual([[undefined, now + 15_000 + 3_600_000], [undefined]]);
    expect(driven.elapsed).toBe(35_000);
  });

  it('the pauses before a request is sent again count', () => {
    const answers = { first: [Undelivered, Undelivered, Accepted] };
    const driven = drive({ targets: [asked([ask('first'), slow])], answers, maxGrace: 30_000 });
    expect(driven.log).toEqual('0 first; 500 first; 1500 first; 6500 slow');
    expect(driven.elapsed).toBe(30_000);
  });

  const options = { maxGrace: 20_000, begun: () => undefined };
  const accepted = (step: PlannedStep, name: string, result: AttemptResult = Accepted): Sent => ({
    kind: 'Attempted',
    attempt: { step, sentAt: now, duration: 0, result },
    watched: [{ container: name, containerId: `containerd://${name}-0` }],
  });

  it('the time that requests take does not count', () => {
    const plan = podPlan({ targets: [asked([ask('first'), slow])] });
    let [run] = next(beginPod(plan, options), { kind: 'Begin' }, now);
    [run] = next(run, { kind: 'Sent', id: 0, sent: accepted(ask('first'), 'sidecar'), jitter: 0 }, now + 700);
    [run] = next(run, { kind: 'TimeUp' }, now + 5_700);
    [run] = next(run, { kind: 'Sent', id: 1, sent: accepted(slow, 'sidecar'), jitter: 0 }, now + 9_000);
    expect(watchOf(run)?.until).toBe(now + 9_000 + 15_000);
  });

  it('but a pause counts while another request is on its way', () => {
    const plan = podPlan({ candidate: candidate(podOfTwo()), ...ofTwo([ask('first')], [slow]) });
    let [run] = next(beginPod(plan, options), { kind: 'Begin' }, now);
    [run] = next(run, { kind: 'Sent', id: 0, sent: accepted(ask('first'), 'a', Busy), jitter: 0 }, now);
    [run] = next(run, { kind: 'Sent', id: 1, sent: accepted(slow, 'b'), jitter: 0 }, now + 400);
    expect(watchOf(run)?.until).toBe(now + 20_000);
  });

  it('a step that has ended is not told as under way', () => {
    const driven = drive({ targets: [asked([slow])], ...limited, after: { 3000: ends() } });
    expect(driven.attempts.map((one) => one.due)).toEqual([undefined]);
    expect(driven.run.sidecars).toMatchObject([{ observation: { kind: 'Exited' } }]);
  });

  it('a step that may have arrived is not sent again then', () => {
    const driven = drive({ targets: [asked([slow])], ...limited, answers: { slow: [Unconfirmed] } });
    expect(driven.sent).toEqual(['slow']);
    expect(driven.run.sidecars).toMatchObject([{ attempts: [{ due: now + 3_620_000 }] }]);
  });
});

describe('a step that an earlier sweep began', () => {
  const hour = 3_600_000;
  const slow = ask('slow', { grace: hour });
  const begunTo = (due: number, name = 'sidecar') => ({
    maxGrace: 20_000,
    begun: (step: PlannedStep, { container: one }: { readonly container: string }) =>
      step.method === 'Command' && step.command[0] === 'slow' && one === name
        ? { at: now - 1_000, due }
        : undefined,
  });

  it('is not sent again, but waited for, and is not reported', () => {
    const driven = drive({ targets: [asked([slow])], ...begunTo(now + hour), after: { 3000: ends() } });
    expect([driven.sent, driven.reported, driven.elapsed]).toEqual([[], [], 13_000]);
    const result = { kind: 'Accepted', message: 'an earlier sweep sent it' };
    expect(driven.run.sidecars).toMatchObject([{ attempts: [{ sentAt: now - 1_000, result }] }]);
  });

  it('is followed by the next when its time is over', () => {
    const driven = drive({ targets: [asked([slow, kill])], ...begunTo(now + 2_000) });
    expect(driven.log).toEqual('2000 kill');
    const [sidecar] = driven.run.sidecars;
    expect(sidecar?.attempts.map(({ due }) => due)).toEqual([undefined, undefined]);
  });

  it('is known by the image that it put in the place of the sidecar’s', () => {
    const begun = () => ({ at: now - 1_000, due: now + hour });
    const noop = { image: 'noop:1', id: 'containerd://sidecar-1', state: exited() };
    const driven = drive({
      targets: [asked([])],
      swap,
      begun,
      after: { 3000: changesContainer('sidecar', noop) },
    });
    expect(driven.sent).toEqual([]);
    expect(driven.run.sidecars).toMatchObject([
      { observation: { kind: 'Exited', exitCode: 0, swapped: true } },
    ]);
  });

  it('for one of two sidecars is sent to both', () => {
    const again = { ...deletePod, grace: hour };
    const begun = (_step: PlannedStep, { container: one }: { readonly container: string }) =>
      one === 'a' ? { at: now, due: now + 1 } : undefined;
    expect(drive({ ...two, lastResort: [again], begun, maxGrace: 20_000 }).sent).toEqual(['delete a+b']);
  });

  it('for both was begun with the first, and is due with the last', () => {
    const begun = (_step: PlannedStep, { container: one }: { readonly container: string }) =>
      one === 'a' ? { at: now - 2_000, due: now + 1_000 } : { at: now - 1_000, due: now + 4_000 };
    const after = { 3000: both(ends('a', 143), ends('b', 143)) };
    const driven = drive({ ...two, lastResort: [deletePod], begun, after });
    const attempt: Partial<Attempt> = { sentAt: now - 2_000 };
    expect(driven.run.sidecars).toMatchObject([{ attempts: [attempt] }, { attempts: [attempt] }]);
    expect([driven.sent, driven.ends, driven.late]).toEqual([[], ['Unclean'], []]);
  });
});

describe('when the sweep stops', () => {
  const lastResort = [evict, deletePod];
  // biome-ignore format: one row a line
  it.each<readonly [string, Driving, readonly string[], readonly string[]]>([
    ['before the first step, nothing was attempted', { targets: termKill, after: { 0: stops() } }, [], ['NotAttempted']],
    ['between two steps, no other follows', { targets: termKill, lastResort, after: { 2500: stops() } }, ['term'], ['Running']],
    ['between two steps for the pod, no other follows', { ...two, lastResort, after: { 2500: stops() } }, ['evict a+b'], ['Running', 'Running']],
    ['in a pause, the request is not sent again', { targets: termKill, answers: { term: [Busy] }, after: { 100: stops() } }, ['term'], ['Running']],
    ['while it is unclear whether it arrived, it is not sent again', { targets: termKill, answers: { term: [Unconfirmed] }, after: { 1500: stops() } }, ['term'], ['Running']],
    ['while it waits for a proof, no step for the pod follows', { targets: [asked([term])], lastResort, after: { 9000: stops() } }, ['term'], ['Running']],
    ['while a sidecar ends, that is known', { targets: termKill, after: { 2500: both(ends(), stops()) } }, ['term'], ['Exited']],
  ])('%s', (_title, driving, sent, known) => {
    const driven = drive(driving);
    expect([driven.sent, knownOf(driven)]).toEqual([sent, known]);
  });

  it('an answer that comes later starts no wait', () => {
    const options = { maxGrace: 60_000, begun: () => undefined };
    let [run] = next(beginPod(podPlan({ targets: [asked([term])] }), options), { kind: 'Begin' }, now);
    [run] = next(run, { kind: 'Stop', reason: 'Signal' }, now);
    const watched = [{ container: 'sidecar', containerId: 'containerd://sidecar-0' }];
    const attempt = { step: term, sentAt: now, duration: 0, result: Accepted };
    const sent = { kind: 'Attempted', attempt, watched } as const;
    const [after, actions] = next(run, { kind: 'Sent', id: 0, sent, jitter: 0 }, now);
    expect([watchOf(after), actions.map(({ kind }) => kind)]).toEqual([
      undefined,
      ['Report', 'StepOver', 'Read'],
    ]);
  });

  it('every wait is over at once', () => {
    const driven = drive({ targets: termKill, after: { 2500: stops('Signal') } });
    expect([driven.elapsed, driven.run.stopping]).toEqual([2_500, 'Signal']);
  });

  it('a step that may still work is not told as over', () => {
    const driven = drive({ targets: [asked([ask('slow', { grace: 90_000 })])], after: { 2500: stops() } });
    expect(driven.run.sidecars).toMatchObject([{ attempts: [{ result: { kind: 'Accepted' } }] }]);
    expect(driven.ends).toEqual(['Unseen']);
  });
});
