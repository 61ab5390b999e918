import { catalogue } from '../policy/catalogue.ts';
import { isNamedLike, type Native } from '../policy/profile.ts';
import { someOf } from '../util/text.ts';
import { groupsOf } from './groups.ts';

interface Found {
  readonly name: string;
  readonly image: string;
  /** Undefined where it may be one of several. */
  readonly namespace: string | undefined;
}

/** How each kind of sidecar could be cured for good, in one sentence with the command that says more; empty if there is none. */
export function describeCures(found: readonly Found[]): readonly string[] {
  if (found.length === 0) return [];
  const cures = groupsOf(found, cureOf).map((alike) => {
    const names = [...new Set(alike.map(({ name }) => name))];
    return `${someOf(names)}: ${cureOf(alike[0])}`;
  });
  const [namespace, ...others] = new Set(found.map((one) => one.namespace));
  const where = others.length > 0 || namespace === undefined ? '-A' : `-n ${namespace}`;
  return [`to cure for good (${cures.join('; ')}): sidecar-sweeper advise ${where}`];
}

function cureOf(sidecar: Found): string {
  const known = catalogue.find((each) => each.shows === undefined && isNamedLike(each, sidecar));
  return describeNative(known?.native);
}

function describeNative(native: Native | undefined): string {
  switch (native?.kind) {
    case undefined:
      return 'native, if its template has it';
    case 'Template':
      return 'native, in its template';
    case 'Switch':
      return `native since ${native.since}, by its own tool`;
    case 'Never':
      return native.secondRun === undefined
        ? 'never native, but by its settings'
        : 'native, by an admission policy';
  }
}
