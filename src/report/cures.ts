import { catalogue } from '../policy/catalogue.ts';
import { isNamedLike, type Native } from '../policy/profile.ts';
import { groupsOf } from '../util/groups.ts';
import { sentences, someOf } from '../util/text.ts';

interface Found {
  readonly name: string;
  readonly image: string;
  /** Undefined where it may be one of several. */
  readonly namespace: string | undefined;
}

/** More namespaces than this are not named one by one. */
const mostNamed = 3;

/** How each kind of sidecar could be cured for good, in one sentence, which a command that says more follows. */
export function describeCures(found: readonly Found[]): string {
  const cures = groupsOf(found, cureOf).map((alike) => {
    const names = [...new Set(alike.map(({ name }) => name))];
    return `${someOf(names)}: ${cureOf(alike[0])}`;
  });
  return `to cure for good (${cures.join('; ')}):`;
}

export function adviseOn(found: readonly Pick<Found, 'namespace'>[]): string {
  const namespaces = [...new Set(found.map((one) => one.namespace))];
  const isNamed = namespaces.length <= mostNamed && !namespaces.includes(undefined);
  const where = isNamed ? namespaces.map((name) => `-n ${name}`) : ['-A'];
  return ['sidecar-sweeper advise', ...where].join(' ');
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
