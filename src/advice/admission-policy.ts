import * as z from 'zod';
import { container, list, object, text, texts, type Value } from '../model/schema.ts';
import { describeNative, type Profile } from '../policy/profile.ts';
import { type Placed, placed, type StuckPods } from './cause.ts';
import { type ClusterVersions, serverSince } from './versions.ts';

export const admissionAdvice = object(
  'an admission policy that makes these sidecars native in all new pods, no matter what creates them',
  {
    moves: texts('the sidecars that the policy makes native, in the order in which they then start'),
    namespaces: texts('where they got stuck: the namespaces to label'),
    label: text('the label of the namespaces that the policy is about'),
    leaves: list(
      'the sidecars that it leaves alone',
      z.object({ container, because: text('why the policy cannot move it') }),
    ),
    first: texts('what must be done or checked before it can be applied'),
    manifests: list(
      'the policy and its binding; empty if it would not help',
      z.record(z.string(), z.unknown()),
    ),
  },
);
export type AdmissionAdvice = Value<typeof admissionAdvice>;

/** MutatingAdmissionPolicies are on by default from here on. */
const onByDefault = '1.36';

const policyLabel = 'sidecar-sweeper.dev/native-sidecars';
const enabled = 'enabled';

/** The policy for the sidecars that pods are stuck on; undefined if there are none that are not native by now. */
export function admissionPolicyFor(
  stuck: readonly StuckPods[],
  versions: ClusterVersions,
  catalogue: readonly Profile[],
): AdmissionAdvice | undefined {
  const found = stuck
    .flatMap(({ origin, candidates }) => candidates.flatMap((one) => placed(one, origin, catalogue)))
    .filter(({ place }) => place.kind !== 'Native');
  if (found.length === 0) return undefined;
  const leaves = new Map<string, string>();
  for (const sidecar of found) {
    const because = whyNotMoved(sidecar) ?? whyTooEarly(sidecar, found);
    if (because !== undefined) leaves.set(sidecar.container.name, because);
  }
  const movable = found.filter(({ container }) => !leaves.has(container.name));
  const moves = [...new Set(movable.map(({ container }) => container.name))];
  const why = ': MutatingAdmissionPolicies are beta and off before that';
  const { first, isPossible } = serverSince(versions.server, onByDefault, why);
  return {
    moves,
    namespaces: [...new Set(movable.map(({ pod }) => pod.ref.namespace))].sort(),
    label: `${policyLabel}=${enabled}`,
    leaves: [...leaves].map(([container, because]) => ({ container, because })),
    first,
    manifests: moves.length > 0 && isPossible ? policyMoving(moves) : [],
  };
}

function whyNotMoved({ container, profile, place }: Placed): string | undefined {
  // Their meaning for a native sidecar is not known.
  if (container.restartRules.length > 0) return 'it has restart rules of its own (restartPolicyRules)';
  // It would start after those that policies move before its injector runs.
  if (profile?.mesh)
    return `other sidecars need it when they start, so let its own tool move it: ${nativeOf(profile)}`;
  switch (place.kind) {
    case 'Template':
    case 'Native':
      return undefined;
    case 'Unknown':
      return profile?.native?.kind === 'Template'
        ? undefined
        : `it is unknown what adds it (${place.problem})`;
    case 'Injected':
      if (!profile)
        return 'its injector is unknown, and may add a second one to a pod whose first one was moved';
      if (profile.native?.secondRun !== undefined) return undefined;
      return `its injector may add a second one to a pod whose first one was moved: ${nativeOf(profile)}`;
  }
}

/** As a native sidecar, it would start before every regular container, even before a proxy that it may need. */
function whyTooEarly({ pod, profile, container }: Placed, found: readonly Placed[]): string | undefined {
  const isNeeded = (one: Profile | undefined) => one?.mesh === true || one?.endsLast === true;
  const proxy = found.find(
    (each) => each.pod === pod && each.container !== container && isNeeded(each.profile),
  );
  if (!proxy || isNeeded(profile)) return undefined;
  return `it would start before ${proxy.container.name}, which it may need: make that native first`;
}

function nativeOf({ native }: Profile): string {
  return native ? describeNative(native) : 'it is unknown how';
}

const apiVersion = 'admissionregistration.k8s.io/v1';

/**
 * Moves each of these containers behind the init containers of every pod that is meant to end. What an injector adds is seen in the
 * second run only, which a policy gets only if its conditions were true in the first: so they must not depend on the sidecar. Each
 * mutation sees the result of the one before. It is named after the containers, so it does not replace the policy for others; a name
 * has at most 253 characters.
 */
function policyMoving(containers: readonly string[]): Record<string, unknown>[] {
  const all = containers.toSorted().join('.');
  const short = `${all.slice(0, 200).replace(/\W+$/, '')}.and-more-${containers.length}`;
  const name = `sidecar-sweeper.native.${all.length <= 200 ? all : short}`;
  const policy = {
    apiVersion,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Ignore',
      reinvocationPolicy: 'IfNeeded',
      matchConstraints: {
        namespaceSelector: { matchLabels: { [policyLabel]: enabled } },
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] },
        ],
      },
      matchConditions: [
        { name: 'meant-to-end', expression: "object.spec.?restartPolicy.orValue('Always') != 'Always'" },
      ],
      mutations: containers.map((container) => ({
        patchType: 'JSONPatch',
        jsonPatch: { expression: moving(container) },
      })),
    },
  };
  const spec = { policyName: name };
  return [policy, { apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata: { name }, spec }];
}

/** Nothing if the pod does not have the container, or would have none left. */
function moving(container: string): string {
  const index = `object.spec.containers.map(c, c.name).indexOf('${container}')`;
  return [
    `${index} < 0 || size(object.spec.containers) < 2 ? [] :`,
    '(has(object.spec.initContainers) ? [] : [JSONPatch{op: "add", path: "/spec/initContainers", value: []}]) +',
    `[JSONPatch{op: "add", path: "/spec/containers/" + string(${index}) + "/restartPolicy", value: "Always"},`,
    ` JSONPatch{op: "move", from: "/spec/containers/" + string(${index}), path: "/spec/initContainers/-"}]`,
  ].join('\n');
}
