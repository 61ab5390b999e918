import { formatDuration } from '../duration.ts';
import { describeSign } from '../policy/signs.ts';
import type { PortSpec, Profile, StepSpec } from '../policy/steps.ts';
import { printable } from '../printable.ts';
import { columns, paintIf } from './columns.ts';

/** The catalogue for people: a paragraph a profile, with its steps in the order in which they are tried. */
export function renderProfiles(profiles: readonly Profile[]): string {
  return profiles.map(renderProfile).join('\n');
}

function renderProfile({ name, containers, images, shows, steps, notes, source }: Profile): string {
  const rows = steps.map((step, index) => [
    `${index + 1}.`,
    describeWritten(step),
    step.exitCode === undefined ? 'exit code not known' : `ends with ${step.exitCode}`,
    [
      ...(step.grace === undefined ? [] : [`within ${formatDuration(step.grace)}`]),
      ...(step.when ? [`if ${step.when.map(describeSign).join(' or ')}`] : []),
      ...(step.unless ? [`unless ${step.unless.map(describeSign).join(' or ')}`] : []),
    ].join(', '),
  ]);
  const shown = shows ? `, if ${shows.map(describeSign).join(' or ')}` : '';
  const lines = [
    `${name}: container ${containers.join(', ')} of image ${images.join(', ')}${shown}`,
    columns(
      [],
      rows.map((row) => row.map((cell) => printable(cell))),
      paintIf(false),
    ).replace(/^/gm, '  '),
    ...(notes === undefined ? [] : [`  ${printable(notes)}`]),
    ...(source === undefined ? [] : [`  Source: ${printable(source)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function describeWritten(step: StepSpec): string {
  if ('http' in step) return `${step.http.method} :${describePort(step.http.port)}${step.http.path}`;
  if ('command' in step) return step.command.join(' ');
  if ('signal' in step) return `signal ${step.signal.join(', else ')}`;
  if ('tombstone' in step) return `write ${step.tombstone.path}`;
  if ('imageSwap' in step) return `swap the image for ${step.imageSwap.image}`;
  if ('ephemeralContainer' in step) return `from beside: ${step.ephemeralContainer.command.join(' ')}`;
  if ('deadline' in step) return 'activeDeadlineSeconds 1';
  return 'evict' in step ? 'evict the pod' : 'delete the pod';
}

function describePort(port: PortSpec): string {
  if (typeof port === 'number') return String(port);
  const from = port.annotation ?? port.argument ?? port.env;
  return port.default === undefined ? `(${from})` : String(port.default);
}
