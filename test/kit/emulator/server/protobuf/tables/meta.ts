// The metadata of objects and lists, and what a refusal says.
// https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/generated.proto

import { always, list, map, message, pointer } from '../fields.ts';
import { flag, integer, rawJson, text, time } from '../types.ts';

const ownerReference = message('OwnerReference', {
  kind: always(1, text),
  name: always(3, text),
  uid: always(4, text),
  apiVersion: always(5, text),
  controller: pointer(6, flag),
  blockOwnerDeletion: pointer(7, flag),
});

const managedFieldsEntry = message('ManagedFieldsEntry', {
  manager: always(1, text),
  operation: always(2, text),
  apiVersion: always(3, text),
  time: pointer(4, time),
  fieldsType: always(6, text),
  fieldsV1: pointer(7, rawJson),
  subresource: always(8, text),
});

export const objectMeta = message('ObjectMeta', {
  name: always(1, text),
  generateName: always(2, text),
  namespace: always(3, text),
  selfLink: always(4, text),
  uid: always(5, text),
  resourceVersion: always(6, text),
  generation: always(7, integer),
  creationTimestamp: always(8, time),
  deletionTimestamp: pointer(9, time),
  deletionGracePeriodSeconds: pointer(10, integer),
  labels: map(11, text),
  annotations: map(12, text),
  ownerReferences: list(13, ownerReference),
  finalizers: list(14, text),
  managedFields: list(17, managedFieldsEntry),
});

const labelSelectorRequirement = message('LabelSelectorRequirement', {
  key: always(1, text),
  operator: always(2, text),
  values: list(3, text),
});

export const labelSelector = message('LabelSelector', {
  matchLabels: map(1, text),
  matchExpressions: list(2, labelSelectorRequirement),
});

const shardInfo = message('ShardInfo', { selector: always(1, text) });

export const listMeta = message('ListMeta', {
  selfLink: always(1, text),
  resourceVersion: always(2, text),
  continue: always(3, text),
  remainingItemCount: pointer(4, integer),
  shardInfo: pointer(5, shardInfo),
});

const statusCause = message('StatusCause', {
  reason: always(1, text),
  message: always(2, text),
  field: always(3, text),
});

const statusDetails = message('StatusDetails', {
  name: always(1, text),
  group: always(2, text),
  kind: always(3, text),
  causes: list(4, statusCause),
  retryAfterSeconds: always(5, integer),
  uid: always(6, text),
});

export const status = message('Status', {
  metadata: always(1, listMeta),
  status: always(2, text),
  message: always(3, text),
  reason: always(4, text),
  details: pointer(5, statusDetails),
  code: always(6, integer),
});
