import type { CureAdvice } from '../../advise/advice.ts';
import { printable } from '../../printable.ts';
import { item, paragraph, type Style } from '../columns.ts';
import { count, describeFound } from '../counts.ts';
import {
  describeHangingPod,
  describeNeverStarted,
  describeNotStartedAgain,
  describeUndecided,
  hangingToo,
} from '../sweep/notes.ts';
import { describeLeftOut, describeWarning } from '../texts/warnings.ts';
import { describeWhy } from '../texts/why-stuck.ts';
import { elapsed } from '../times.ts';
import type { Advice, AdvisedOwner } from './advice.ts';

/** A command is of no use in part. */
export const longestLine = 65_536;

/** The advice for people: a paragraph for each owner. Commands stand alone on their lines, to be copied. */
export function renderAdvice(advice: Advice, style: Style): string {
  const { owners, asOf } = advice;
  const lines = [
    ...owners.flatMap((owner) => [
      paragraph(printable(adviceHead(owner, asOf)), style, 'bold'),
      ...linesOf(owner, style),
      '',
    ]),
    ...adviceNotes(advice).map((note) => paragraph(printable(note), style, 'yellow')),
    paragraph(adviceSum(advice), style),
  ];
  return `${lines.join('\n')}\n`;
}

/** What else there is to know, a sentence each. */
export function adviceNotes(advice: Advice): readonly string[] {
  const { neverStarted, notStartedAgain, hanging, warnings, undecided, leftOut, asOf } = advice;
  return [
    ...warnings.map((warning) => `warning: ${describeWarning(warning)}`),
    ...undecided.map(describeUndecided),
    ...neverStarted.map((pod) => describeNeverStarted(pod, asOf)),
    ...notStartedAgain.map((pod) => describeNotStartedAgain(pod, asOf)),
    ...hanging.map((pod) => describeHangingPod(pod, asOf)),
    ...describeLeftOut(leftOut),
  ];
}

export function adviceSum({ owners, listed, unread, hanging }: Advice): string {
  const stuck = owners.reduce((sum, { pods }) => sum + pods.length, 0);
  const of = owners.length > 0 ? `, of ${count(owners.length, 'owner')}` : '';
  return describeFound(listed, unread, `${stuck} stuck${of}${hangingToo(hanging)}`);
}

export function adviceHead(
  { kind, namespace, name, pods, stuckSince }: AdvisedOwner,
  asOf: string | undefined,
): string {
  const since = `${pods.length > 1 ? ', the first' : ''} for ${elapsed(stuckSince, asOf)}`;
  return `${kind} ${namespace}/${name}: ${count(pods.length, 'pod')} stuck${since}`;
}

function linesOf({ sidecars, cures }: AdvisedOwner, style: Style): readonly string[] {
  return [
    ...sidecars.flatMap(({ name, image, why }) => [
      line(2, `${name} (${image}):`, style),
      ...why.map((one) => line(4, describeWhy(one), style)),
    ]),
    ...cures.flatMap((cure) => linesOfCure(cure, style)),
  ];
}

function linesOfCure(cure: CureAdvice, style: Style): readonly string[] {
  const { containers, does, changes, versions, first, command, source } = cure;
  const version = versions === undefined ? '' : ` (its version is unknown; this is for those ${versions})`;
  return [
    line(2, `cure for ${containers.join(', ')}${version}: ${does}`, style),
    ...first.map((before) => line(4, `first: ${before}`, style)),
    line(4, `changes: ${changes}`, style),
    line(4, `source: ${source}`, style),
    ...(command === undefined ? [] : [printable(command, longestLine)]),
  ];
}

function line(indent: number, text: string, style: Style): string {
  return item(printable(text, longestLine), style, indent);
}
