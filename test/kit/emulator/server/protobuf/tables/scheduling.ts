// Where a pod may run.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, list, message, pointer } from '../fields.ts';
import { integer, text } from '../types.ts';
import { labelSelector } from './meta.ts';

const nodeSelectorRequirement = message('NodeSelectorRequirement', {
  key: always(1, text),
  operator: always(2, text),
  values: list(3, text),
});

const nodeSelectorTerm = message('NodeSelectorTerm', {
  matchExpressions: list(1, nodeSelectorRequirement),
  matchFields: list(2, nodeSelectorRequirement),
});

const nodeSelector = message('NodeSelector', { nodeSelectorTerms: list(1, nodeSelectorTerm) });

const preferredSchedulingTerm = message('PreferredSchedulingTerm', {
  weight: always(1, integer),
  preference: always(2, nodeSelectorTerm),
});

const nodeAffinity = message('NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: pointer(1, nodeSelector),
  preferredDuringSchedulingIgnoredDuringExecution: list(2, preferredSchedulingTerm),
});

const podAffinityTerm = message('PodAffinityTerm', {
  labelSelector: pointer(1, labelSelector),
  namespaces: list(2, text),
  topologyKey: always(3, text),
  namespaceSelector: pointer(4, labelSelector),
  matchLabelKeys: list(5, text),
  mismatchLabelKeys: list(6, text),
});

const weightedPodAffinityTerm = message('WeightedPodAffinityTerm', {
  weight: always(1, integer),
  podAffinityTerm: always(2, podAffinityTerm),
});

const podAffinity = message('PodAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: list(1, podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(2, weightedPodAffinityTerm),
});

const podAntiAffinity = message('PodAntiAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: list(1, podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(2, weightedPodAffinityTerm),
});

export const affinity = message('Affinity', {
  nodeAffinity: pointer(1, nodeAffinity),
  podAffinity: pointer(2, podAffinity),
  podAntiAffinity: pointer(3, podAntiAffinity),
});

export const toleration = message('Toleration', {
  key: always(1, text),
  operator: always(2, text),
  value: always(3, text),
  effect: always(4, text),
  tolerationSeconds: pointer(5, integer),
});

export const topologySpreadConstraint = message('TopologySpreadConstraint', {
  maxSkew: always(1, integer),
  topologyKey: always(2, text),
  whenUnsatisfiable: always(3, text),
  labelSelector: pointer(4, labelSelector),
  minDomains: pointer(5, integer),
  nodeAffinityPolicy: pointer(6, text),
  nodeTaintsPolicy: pointer(7, text),
  matchLabelKeys: list(8, text),
});

export const podSchedulingGate = message('PodSchedulingGate', { name: always(1, text) });

export const podSchedulingGroup = message('PodSchedulingGroup', { podGroupName: pointer(1, text) });
