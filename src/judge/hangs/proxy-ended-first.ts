import type { Millis } from '../../duration.ts';
import { willRestart } from '../../pod/restart.ts';
import { shows } from '../../pod/signs.ts';
import { findProfile } from '../../policy/match.ts';
import type { Profile } from '../../policy/profile.ts';
import type { ContainerView } from '../../vocabulary/container.ts';
import type { PodView } from '../../vocabulary/pod.ts';
import type { HangCheck } from './hang-check.ts';

/**
 * A proxy that ends with 0 is not started again under Never and OnFailure, and takes the network of the mains with it, or their
 * database. They often hang then. (istio/istio#45627)
 *
 * A main that ends the proxy itself, because it needs it no more, is at work. So nothing is told if one of the mains has ended,
 * started after the proxy had ended, or may ask the database proxy to end, or if another proxy still runs.
 */
export const proxyEndedFirst: HangCheck = {
  entails: ['MainRunning', 'NoRunningSidecar'],
  find(subject, now, minAge) {
    const { pod, mains, policy } = subject;
    const proxies = subject.sidecars.flatMap(({ container }) => {
      const profile = findProfile(policy.catalogue, pod, container);
      return profile && carries(profile) ? [{ container, profile }] : [];
    });
    const ended = proxies.flatMap(({ container, profile }) => {
      const at = endedAt(container, profile, pod);
      return at === undefined ? [] : [{ name: container.name, at }];
    });
    const [last] = ended.toSorted((a, b) => b.at - a.at);
    const [main] = mains;
    if (!last || !main || ended.length < proxies.length || now - last.at < minAge) return undefined;
    if (!mains.every(({ container: { state } }) => runsSinceBefore(state, last.at))) return undefined;
    return {
      hang: { kind: 'ProxyEndedFirst', container: last.name, main: main.container.name },
      since: last.at,
    };
  },
};

/** Whether the mains reach others through it. */
function carries({ mesh, database }: Profile): boolean {
  return mesh === true || database !== undefined;
}

/** When a proxy ended for good, by nobody's wish; undefined if it did not. */
function endedAt(container: ContainerView, { database }: Profile, pod: PodView): Millis | undefined {
  const { state } = container;
  if (state.kind !== 'Terminated' || state.exitCode !== 0) return undefined;
  if (willRestart(container, pod.restartPolicy, state.exitCode)) return undefined;
  return database?.endsIf.some((sign) => shows(sign, pod, container)) ? undefined : state.finishedAt;
}

function runsSinceBefore(state: ContainerView['state'], time: Millis): boolean {
  return state.kind === 'Running' && state.startedAt !== undefined && state.startedAt < time;
}
