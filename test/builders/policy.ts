import type { Facts } from '../../src/model/reading.ts';
import { type Policy, resolvePolicy } from '../../src/policy/policy.ts';
import { type PolicyFile, policyFile, readPolicy } from '../../src/policy/policy-file.ts';

export function policy(more: Partial<Policy> = {}): Policy {
  const noopImages = [more.swap, ...(more.lastResort ?? [])].flatMap((spec) =>
    spec?.method === 'ImageSwap' ? spec.imageSwap.image : [],
  );
  return { ...resolvePolicy({}, undefined), noopImages, ...more };
}

export function fileOf(fields: object): PolicyFile {
  return policyFile.parse({ apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', ...fields });
}

/** The policy that this text is. */
export function policyIn(text: string): PolicyFile {
  const read = readPolicy(text);
  if (read.kind === 'Wrong') throw new Error(JSON.stringify(read.problems));
  return read.policy;
}

/** No facts: only the pods were read. */
export const noFacts: Facts = {
  templates: new Map(),
  nodes: new Map(),
  namespaces: new Map(),
  selectedNamespaces: undefined,
  self: undefined,
};
