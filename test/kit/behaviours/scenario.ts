import type { Stage } from './stage.ts';

/** A behaviour that takes more than one pod, more than one sweep or a special namespace. It has a namespace to itself. */
export interface Scenario {
  readonly title: string;
  readonly needs?: Need;
  /** Plays it, with its expectations. */
  play(stage: Stage): Promise<void>;
}

/** What an older cluster or this machine may lack. */
export type Need =
  | { readonly kind: 'Version'; readonly version: string; readonly for: string }
  | { readonly kind: 'Programs'; readonly missing: string | undefined };

/** Why it cannot play on a cluster of this version, such as `v1.36.2`; undefined if it can. */
export function whyNot(need: Need | undefined, version: string): string | undefined {
  switch (need?.kind) {
    case undefined:
      return undefined;
    case 'Programs':
      return need.missing;
    case 'Version':
      return isBefore(version, need.version)
        ? `needs Kubernetes ${need.version} (${need.for}); this is ${version}`
        : undefined;
  }
}

function isBefore(version: string, wanted: string): boolean {
  const [major = 0, minor = 0] = numbersOf(version);
  const [wantedMajor = 0, wantedMinor = 0] = numbersOf(wanted);
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
}

function numbersOf(version: string): readonly number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}
