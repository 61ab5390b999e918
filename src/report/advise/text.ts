import type { CureAdvice } from '../../advise/advice.ts';
import { printable } from '../../printable.ts';
import { paintIf, type Style } from '../columns.ts';
import { count } from '../counts.ts';
import { describeNeverStarted, describeNotStartedAgain, describeUndecided } from '../sweep/table.ts';
import { describeLeftOut, describeWarning } from '../texts/warnings.ts';
import { describeWhy } from '../texts/why-stuck.ts';
import { elapsed } from '../times.ts';
import type { Advice, AdvisedOwner } from './advice.ts';

/** A command is of no use in part. */
export const longestLine = 65_536;

/** The advice for people: a paragraph for each owner. Commands stand alone on their lines, to be copied. */
export function renderAdvice(advice: Advice, style: Style): string {
  const paint = paintIf(style);
  const { owners, asOf } = advice;
  const lines = [
    ...owners.flatMap((owner) => [paint('bold', printable(adviceHead(owner, asOf))), ...linesOf(owner), '']),
    ...adviceNotes(advice).map((note) => paint('yellow', printable(note))),
    adviceSum(advice),
  ];
  return `${lines.join('\n')}\n`;
}

/** What else there is to know, a sentence each. */
export function adviceNotes(advice: Advice): readonly string[] {
  const { neverStarted, notStartedAgain, warnings, undecided, leftOut, asOf } = advice;
  return [
    ...warnings.map((warning) => `warning: ${describeWarning(warning)}`),
    ...undecided.map(describeUndecided),
    ...neverStarted.map((pod) => describeNeverStarted(pod, asOf)),
    ...notStartedAgain.map((pod) => describeNotStartedAgain(pod, asOf)),
    ...describeLeftOut(leftOut),
  ];
}

export function adviceSum({ owners, listed }: Advice): string {
  const stuck = owners.reduce((sum, { pods }) => sum + pods.length, 0);
  const of = owners.length > 0 ? `, of ${count(owners.length, 'owner')}` : '';
  return `${count(listed, 'pod')} listed, ${stuck} stuck${of}`;
}

export function adviceHead(
  { kind, namespace, name, pods, stuckSince }: AdvisedOwner,
  asOf: string | undefined,
): string {
  const since = `the first for ${elapsed(stuckSince, asOf)}`;
  return `${kind} ${namespace}/${name}: ${count(pods.length, 'pod')} stuck, ${since}`;
}

function linesOf({ sidecars, cures }: AdvisedOwner): readonly string[] {
  return [
    ...sidecars.flatMap(({ name, image, why }) => [
      line(2, `${name} (${image}):`),
      ...why.map((one) => line(4, describeWhy(one))),
    ]),
    ...cures.flatMap(linesOfCure),
  ];
}

function linesOfCure(cure: CureAdvice): readonly string[] {
  const { containers, does, changes, versions, first, command, source } = cure;
  const version = versions === undefined ? '' : ` (its version is unknown; this is for those ${versions})`;
  return [
    line(2, `cure for ${containers.join(', ')}${version}: ${does}`),
    ...first.map((before) => line(4, `first: ${before}`)),
    line(4, `changes: ${changes}`),
    line(4, `source: ${source}`),
    ...(command === undefined ? [] : [line(0, command)]),
  ];
}

function line(indent: number, text: string): string {
  return `${' '.repeat(indent)}${printable(text, longestLine)}`;
}
