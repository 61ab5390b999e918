import fc from 'fast-check';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import { type RandomFault, randomFault } from './faults.ts';
import { type InvariantName, invariants } from './invariants.ts';
import { crash, done, type RandomPod, randomPod } from './pods.ts';
import { type History, minAge, type RandomSweep, Subject } from './subject.ts';

/** What happens to the cluster and its sweeper, after a time in which nothing does. */
type Act = { readonly after: number } & (
  | { readonly kind: 'AddPod'; readonly pod: RandomPod }
  | { readonly kind: 'FinishMain'; readonly which: number }
  /** The kubelet starts it again, or does not, by the pod's restart policy. */
  | { readonly kind: 'Crash'; readonly which: number; readonly container: 'main' | 'sidecar-0' }
  | { readonly kind: 'Replace'; readonly which: number; readonly pod: RandomPod }
  | { readonly kind: 'Delete'; readonly which: number; readonly grace: number }
  | { readonly kind: 'FaultOn'; readonly fault: RandomFault }
  | { readonly kind: 'FaultsOff' }
  | { readonly kind: 'Sweep'; readonly sweep: RandomSweep }
  | { readonly kind: 'Stop'; readonly reason: 'Signal' | 'Deadline' }
  | { readonly kind: 'Await' }
);

/** What must be known to see whether a command makes sense. */
interface Model {
  pods: number;
  isSweeping: boolean;
}

class Command implements fc.AsyncCommand<Model, Subject> {
  constructor(private readonly act: Act) {}

  check({ pods, isSweeping }: Readonly<Model>): boolean {
    switch (this.act.kind) {
      case 'AddPod':
        return pods < 5;
      case 'FinishMain':
      case 'Crash':
      case 'Replace':
      case 'Delete':
        return pods > 0;
      case 'Sweep':
        return !isSweeping && pods > 0;
      case 'Stop':
      case 'Await':
        return isSweeping;
      case 'FaultOn':
      case 'FaultsOff':
        return true;
    }
  }

  async run(model: Model, subject: Subject): Promise<void> {
    await subject.on.simulation.pass(this.act.after);
    switch (this.act.kind) {
      case 'AddPod':
        model.pods++;
        return subject.add(this.act.pod);
      case 'FinishMain':
        return subject.end(this.act.which, 'main', done);
      case 'Crash':
        return subject.end(this.act.which, this.act.container, crash);
      case 'Replace': {
        const name = subject.remove(this.act.which, 0);
        return name === undefined ? undefined : subject.add(this.act.pod, name);
      }
      case 'Delete':
        subject.remove(this.act.which, this.act.grace);
        return;
      case 'FaultOn':
        return subject.addFault(this.act.fault);
      case 'FaultsOff':
        return subject.removeFaults();
      case 'Sweep':
        model.isSweeping = true;
        return subject.begin(this.act.sweep);
      case 'Stop':
        return subject.stop(this.act.reason);
      case 'Await':
        model.isSweeping = false;
        return expectInvariants(await subject.finish(), subject);
    }
  }

  toString(): string {
    return JSON.stringify(this.act);
  }
}

/** In milliseconds: until pods run, and until the kubelet has shown everything. */
const timeToStart = 3_000;
const timeToShow = 30_000;

/** Throws an error that names what does not hold. */
async function expectInvariants(history: History | undefined, subject: Subject): Promise<void> {
  if (!history) return;
  await subject.on.simulation.pass(timeToShow);
  const { store } = subject.on.emulator.world;
  const problems = Object.entries(invariants).flatMap(([name, check]) =>
    check(history, store).map((problem) => `${name}: ${problem}`),
  );
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

const which = fc.nat({ max: 4 });
/** Milliseconds between two commands: none, within a step, or long enough for a main to be old. */
const after = fc.constantFrom(0, 0, 100, 700, 2_500, 6_000);

const sweep: fc.Arbitrary<RandomSweep> = fc.record({
  dryRun: fc.constantFrom(false, false, false, false, true),
  uncleanExit: fc.constantFrom<RandomSweep['uncleanExit'][]>('allow', 'forbid'),
  lastResort: fc.constantFrom<RandomSweep['lastResort'][]>(
    'none',
    'none',
    'none',
    'deadline',
    'evict',
    'delete',
  ),
  concurrency: fc.constantFrom(1, 2, 20),
});

function act<K extends Act['kind']>(
  kind: K,
  fields: {
    [F in Exclude<keyof Extract<Act, { kind: K }>, 'kind' | 'after'>]: fc.Arbitrary<
      Extract<Act, { kind: K }>[F]
    >;
  },
): fc.Arbitrary<Command> {
  return fc
    .record({ after, kind: fc.constant(kind), ...fields })
    .map((drawn) => new Command(drawn as unknown as Act));
}

const addPod = act('AddPod', { pod: randomPod });
const finishMain = act('FinishMain', { which });
const sweepAgain = act('Sweep', { sweep });

/** What is drawn more often stands here more often. */
const commands = [
  addPod,
  addPod,
  finishMain,
  finishMain,
  finishMain,
  act('Crash', { which, container: fc.constantFrom<('main' | 'sidecar-0')[]>('main', 'sidecar-0') }),
  act('Replace', { which, pod: randomPod }),
  act('Delete', { which, grace: fc.constantFrom(0, 2, 30) }),
  act('FaultOn', { fault: randomFault }),
  act('FaultsOff', {}),
  sweepAgain,
  sweepAgain,
  act('Stop', { reason: fc.constantFrom<('Signal' | 'Deadline')[]>('Signal', 'Deadline') }),
  act('Await', {}),
];

export const timelineNames = Object.keys(invariants) as readonly InvariantName[];

/** How it begins: a sweep of these pods, most of which are stuck. */
interface Beginning {
  readonly pods: readonly { readonly pod: RandomPod; readonly isDone: boolean }[];
  readonly faults: readonly RandomFault[];
  readonly sweep: RandomSweep;
}

const beginning: fc.Arbitrary<Beginning> = fc.record({
  pods: fc.array(fc.record({ pod: randomPod, isDone: fc.constantFrom(true, true, true, false) }), {
    minLength: 1,
    maxLength: 4,
  }),
  faults: fc.array(randomFault, { maxLength: 2 }),
  sweep,
});

async function begin({ pods, faults, sweep }: Beginning, subject: Subject): Promise<Model> {
  const { simulation } = subject.on;
  for (const { pod } of pods) subject.add(pod);
  await simulation.pass(timeToStart);
  for (const [index, { isDone }] of pods.entries()) if (isDone) subject.end(index, 'main');
  await simulation.pass(minAge + timeToStart);
  for (const fault of faults) subject.addFault(fault);
  subject.begin(sweep);
  return { pods: pods.length, isSweeping: true };
}

/** Draws what happens, lets it happen, and judges every sweep. */
export function timeline(cluster: SimulatedCluster, nextNamespace: () => string) {
  return fc.asyncProperty(
    beginning,
    fc.commands(commands, { maxCommands: 20, size: 'max' }),
    async (start, acts) => {
      const subject = new Subject(cluster, nextNamespace());
      try {
        const model = await begin(start, subject);
        await fc.asyncModelRun(() => ({ model, real: subject }), acts);
        await expectInvariants(await subject.finish(), subject);
      } finally {
        await subject.leave();
      }
    },
  );
}
