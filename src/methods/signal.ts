import * as z from 'zod';
import type { AttemptResult } from '../model/outcome.ts';
import { printable } from '../util/text.ts';
import { describeExit, failedExit, toAttempt } from './attempt.ts';
import { defineMethod, type StepCommon, specCommon } from './method.ts';
import { execRule } from './permissions.ts';
import { signalScript } from './signal-script.ts';
import { whySignalsAreUnfit } from './signalling.ts';

/** The signals that can be sent, with their numbers on x86 and arm64 Linux. */
const numbers = { TERM: 15, INT: 2, QUIT: 3, HUP: 1, USR1: 10, USR2: 12, KILL: 9 } as const;
type SignalName = keyof typeof numbers;
const names = Object.keys(numbers) as [SignalName, ...SignalName[]];

export interface SignalStep extends StepCommon {
  readonly method: 'Signal';
  /** Names without SIG; the first that the process catches is sent. */
  readonly signals: readonly SignalName[];
}

const shell = '/bin/sh';

/** Sends a signal that the container's process catches, or says at once that none can work. */
export const signal = defineMethod({
  name: 'Signal',
  flag: 'signal',
  ends: 'Container',
  rbac: [execRule],
  price: '',
  written: z
    .strictObject({
      signal: z
        .array(z.enum(names))
        .min(1)
        .describe("the first of these that the container's process catches is sent"),
      ...specCommon,
    })
    .transform((spec) => ({ method: 'Signal' as const, ...spec })),
  // The script looks for the sidecar's own processes, so PID 1 need not be one of them.
  whyUnfit: (_spec, { pod }) => whySignalsAreUnfit(pod, false),
  // Every sidecar gets TERM and KILL anyway; another signal may mean anything to a program.
  isAdmitted: (spec, { known }) =>
    spec.signal.every(
      (name) => name === 'TERM' || name === 'KILL' || known.some(({ signal: each }) => each.includes(name)),
    ),
  toSteps: (spec, common): readonly SignalStep[] => [{ ...common, method: 'Signal', signals: spec.signal }],
  describeSpec: (spec) => `signal ${spec.signal.join(', else ')}`,
  describe: (step) => `signal ${step.signals.join(', else ')}`,
  async send({ signals }, { cluster, pod, containers: [container], abort }) {
    const wanted = signals.map((name) => `${name}:${numbers[name]}`);
    const argv = [shell, '-c', signalScript, 'sidecar-sweeper', ...wanted];
    return toAttempt(await cluster.exec(pod, container, argv, abort), shell, concludeExit);
  },
});

function concludeExit(exitCode: number, output: string): AttemptResult {
  const immune = /^immune (.*)$/m.exec(output)?.[1];
  if (immune !== undefined) return { kind: 'Immune', message: immune };
  if (/^sent /m.test(output)) return { kind: 'Accepted', message: printable(output) };
  // The script dies with the PID 1 that it ends, and its output may be lost.
  if (exitCode === 0) return { kind: 'Unconfirmed', message: describeExit(exitCode, output) };
  return failedExit(exitCode, output, shell);
}
