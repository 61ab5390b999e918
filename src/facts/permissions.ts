import { newImageOf } from '../methods/index.ts';
import { type Permissions, permissionsOf, type RbacRule } from '../methods/permissions.ts';
import type { Access, Cluster, Permission } from '../model/ports.ts';
import type { PodDraft } from '../plan/draft.ts';
import { swapIn, type Wanted } from '../plan/permissions.ts';
import type { SwapAnswer } from '../plan/plan.ts';
import { inTurns, type Slots } from '../util/concurrency.ts';

/** Asks the API server whether the account has a permission, once for each. Changes nothing. */
export type AskPermission = (permission: Permission) => Promise<Access>;

export function createPermissionAsker(
  cluster: Pick<Cluster, 'mayI'>,
  slots: Slots,
  abort: AbortSignal,
): AskPermission {
  const answers = new Map<string, Promise<Access>>();
  return (permission) => {
    const key = JSON.stringify(permission);
    const answer = answers.get(key) ?? slots(() => cluster.mayI(permission, abort));
    answers.set(key, answer);
    return answer;
  };
}

/** Asks about all namespaces at once, and about each only if that is denied. What cannot be read counts as allowed: the attempt will show. */
export async function gatherPermissions(wanted: readonly Wanted[], ask: AskPermission): Promise<Permissions> {
  const denied = new Set<string>();
  const isDenied = async (rules: readonly RbacRule[], namespace: string | undefined) => {
    const permissions = rules.flatMap((rule) => permissionsOf(rule, namespace));
    const answers = await Promise.all(permissions.map(ask));
    return answers.some(({ kind }) => kind === 'Denied');
  };
  const byKey = new Map<string, Wanted>();
  for await (const one of inTurns(wanted)) byKey.set(keyOf(one), one);
  await Promise.all(
    [...byKey].map(async ([key, { rules, namespace }]) => {
      if ((await isDenied(rules, undefined)) && (await isDenied(rules, namespace))) denied.add(key);
    }),
  );
  return { allow: (rules, namespace) => !denied.has(keyOf({ rules, namespace })) };
}

function keyOf({ rules, namespace }: Wanted): string {
  return JSON.stringify([namespace, rules]);
}

/** Admission checks a pod again if its image changes. Without an answer, the swap itself shows whether it is admitted. */
export async function askForSwaps(
  drafts: readonly PodDraft[],
  permissions: Permissions,
  cluster: Pick<Cluster, 'swapImages'>,
  slots: Slots,
  abort: AbortSignal,
): Promise<ReadonlyMap<string, SwapAnswer>> {
  const answers = new Map<string, SwapAnswer>();
  const ask = async (draft: PodDraft): Promise<void> => {
    const { pod, sidecars } = draft.candidate;
    const { ref } = pod;
    const swap = swapIn(draft, permissions);
    const asked = swap && newImageOf(swap);
    if (asked === undefined) return;
    const meant = swap?.only ?? sidecars.map(({ container }) => container.name);
    const swaps = meant.map((container) => ({ container, image: asked }));
    const result = await slots(() => cluster.swapImages(ref, swaps, { dryRun: true }, abort));
    if (result.kind === 'Refused' || result.kind === 'Rejected') {
      const { message } = result;
      // The answer if a webhook has side effects (apiserver's admission/plugin/webhook/errors/statuserror.go).
      if (message.includes('does not support dry run')) return;
      answers.set(ref.uid, { kind: 'Refused', asked, message });
    }
    if (result.kind === 'Written' && result.images) {
      answers.set(ref.uid, { kind: 'Admitted', asked, images: result.images });
    }
  };
  await Promise.all(drafts.map(ask));
  return answers;
}
