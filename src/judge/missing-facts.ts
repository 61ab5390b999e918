import { jobOf, type Owner, type PodView } from '../model/pod.ts';
import type { Facts } from '../model/reading.ts';
import type { JudgedContainer, Verdict } from '../model/verdict.ts';
import { isInTheWay, type JudgedPod } from './checks.ts';
import { judge } from './judge.ts';
import { assignRoles } from './roles.ts';

type Known = Pick<JudgedPod, 'policy' | 'facts' | 'now'>;

/** The Job whose template could change the verdict: it shows what was injected, or was meant as a native sidecar. */
export function jobToRead(pod: PodView, known: Known): Owner | undefined {
  const { policy, facts, now } = known;
  const owner = jobOf(pod);
  if (!owner || facts.templates.has(owner.uid)) return undefined;
  const { kind } = judge(pod, policy, now, facts);
  // If judging it has failed, its verdict reports the error.
  if (kind === 'Undecided') return undefined;
  if (kind === 'Candidate') return mayHaveInjectedMain(pod, owner, known) ? owner : undefined;
  const supposed = judge(pod, policy, now, suppose(pod, owner, known));
  return supposed.kind === 'Undecided' || supposed.kind === 'Excluded' ? undefined : owner;
}

/** The node of a pod, if the verdict depends on whether it is ready. */
export function nodeToRead({ kind, pod }: Verdict, { policy, facts, now }: Known): string | undefined {
  const { node } = pod;
  if (kind === 'Candidate') return node;
  // If its node is ready, native sidecars that run beside ended mains show a hang.
  const hasRunning = pod.nativeSidecars.some(({ state }) => state.kind === 'Running');
  if (!hasRunning || facts.nodes.has(node)) return undefined;
  const supposed: Facts = { ...facts, nodes: new Map([[node, { kind: 'Ready', platform: '' }]]) };
  return judge(pod, policy, now, supposed).kind === 'Hanging' ? node : undefined;
}

/**
 * Whether a stuck pod has a main that a webhook may have injected: then that it failed does not mean that the work failed, or what
 * is still running is the work. Evidence that takes precedence over the template does not change, and the template has a container.
 */
function mayHaveInjectedMain(pod: PodView, owner: Owner, { policy, facts }: Known): boolean {
  const templates = new Map([[owner.uid, { containers: [], nativeSidecars: [] }]]);
  const judged = assignRoles(pod, { policy, facts: { templates } });
  const isOpen = judged.map(({ because }) => because.kind === 'NotInJobTemplate');
  const roles = assignRoles(pod, { policy, facts });
  const mains = roles.filter(({ role }) => role === 'Main');
  const openMains = roles.filter(({ role }, index) => role === 'Main' && isOpen[index]);
  const hasFailed = openMains.some(
    ({ container: { state } }) => state.kind === 'Terminated' && state.exitCode !== 0,
  );
  if (hasFailed && mains.length > 1) return true;
  return (
    openMains.length === mains.length && roles.some(({ role }, index) => role === 'Sidecar' && isOpen[index])
  );
}

/**
 * The facts if the template lacked the mains in the way, and had each init container that runs as a native sidecar. Mains by stronger
 * evidence than the template remain mains.
 */
function suppose(pod: PodView, owner: Owner, known: Known): Facts {
  // A pod without an ended container is not stuck, whichever of its containers are mains.
  const mayBeStuck = pod.containers.some(({ state }) => state.kind === 'Terminated');
  const isLeft = (one: JudgedContainer) =>
    !mayBeStuck || one.role === 'Sidecar' || !isInTheWay(one, { pod, ...known });
  const containers = assignRoles(pod, known).filter(isLeft);
  const running = pod.initContainers.filter(({ state }) => state.kind === 'Running');
  const template = {
    containers: containers.map(({ container }) => container.name),
    nativeSidecars: running.map(({ name }) => name),
  };
  return { ...known.facts, templates: new Map([[owner.uid, template]]) };
}
