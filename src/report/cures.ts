import { catalogue } from '../policy/catalogue.ts';
import { defaults } from '../policy/flags.ts';
import { isNamedLike, type Native } from '../policy/profile.ts';
import { groupsOf } from '../util/groups.ts';
import { sentences, someOf } from '../util/text.ts';
import { formatDuration, type Millis } from '../util/time.ts';

interface Found {
  readonly name: string;
  readonly image: string;
  /** Undefined where it may be one of several. */
  readonly namespace: string | undefined;
}

/** More namespaces than this are not named one by one. */
const mostNamed = 3;

/** How each kind of sidecar could be cured for good, in one sentence, with the command that says more. */
export function describeCures(found: readonly Found[], minAge: Millis = defaults.minAge): readonly string[] {
  if (found.length === 0) return [];
  const cures = groupsOf(found, cureOf).map((alike) => {
    const names = [...new Set(alike.map(({ name }) => name))];
    return `${someOf(names)}: ${cureOf(alike[0])}`;
  });
  const namespaces = [...new Set(found.map((one) => one.namespace))];
  const isNamed = namespaces.length <= mostNamed && !namespaces.includes(undefined);
  const words = [
    'sidecar-sweeper advise',
    ...(isNamed ? namespaces.map((name) => `-n ${name}`) : ['-A']),
    ...(minAge === defaults.minAge ? [] : [`--min-age ${formatDuration(minAge)}`]),
  ];
  return [`to cure for good (${cures.join('; ')}): ${words.join(' ')}`];
}

function cureOf(sidecar: Found): string {
  const known = catalogue.find((each) => each.shows === undefined && isNamedLike(each, sidecar));
  return known?.native ? describeNative(known.native) : 'native, if its template has it';
}

const describeNative = sentences<Native>({
  Template: 'native, in its template',
  Switch: ({ since }) => `native since ${since}, by its own tool`,
  Never: ({ secondRun }) =>
    secondRun ? 'native, by an admission policy' : 'by its settings, not as a native sidecar',
});
