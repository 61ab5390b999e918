import { catalogue } from '../policy/catalogue.ts';
import { isNamedLike, type Native } from '../policy/profile.ts';
import { groupsOf } from './groups.ts';

/** A sidecar that kept a pod from ending. */
interface Found {
  readonly name: string;
  readonly image: string;
  /** Undefined where it may be one of several. */
  readonly namespace: string | undefined;
}

/** Whether each kind of sidecar could be cured for good, and the command that says how. */
export function describeCures(found: readonly Found[]): readonly string[] {
  return groupsOf(found, ({ name, image }) => JSON.stringify([name, image])).map((group) => {
    const [{ name, image }] = group;
    const known = catalogue.find((each) => each.shows === undefined && isNamedLike(each, { name, image }));
    const [namespace, ...others] = new Set(group.map((one) => one.namespace));
    const where = others.length > 0 || namespace === undefined ? '-A' : `-n ${namespace}`;
    return `to cure ${name} for good (${cureOf(known?.native)}): sidecar-sweeper advise ${where}`;
  });
}

function cureOf(native: Native | undefined): string {
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
