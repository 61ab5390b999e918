import { shows } from '../model/signs.ts';
import type { Switch } from '../policy/cure.ts';
import type { Placed } from './place.ts';
import { reaches, tagOf, type Version, versionIn } from './version.ts';

/** The version of a sidecar, by its image's tag; undefined if that says none. */
export function versionOf({ container }: Pick<Placed, 'container'>): Version | undefined {
  return versionIn(tagOf(container.image) ?? '');
}

/** The switches that this version has and this pod may use; those of every version if it is unknown. */
export function switchesFor(sidecar: Placed): readonly Switch[] {
  const { profile, pod, container } = sidecar;
  const version = versionOf(sidecar);
  return (profile?.cure?.switches ?? []).filter(
    ({ since, until, when, unless }) =>
      (version === undefined ||
        ((since === undefined || reaches(version, since)) &&
          (until === undefined || !reaches(version, until)))) &&
      (when === undefined || when.some((sign) => shows(sign, pod, container))) &&
      !unless?.some((sign) => shows(sign, pod, container)),
  );
}

/** The versions of a switch in words; undefined if it is for all of them. */
export function describeVersions({ since, until }: Switch): string | undefined {
  const from = since && `from ${since.join(' or ')} on`;
  const before = until && `before ${until.join(' or ')}`;
  return from && before ? `${from}, ${before}` : (from ?? before);
}
