import type { Owner } from '../../model/pod.ts';
import { filled, type Json, records } from '../json.ts';
import { internText } from './interned.ts';

/** The reference to the object that controls this one; it has one at most. */
export function controllerIn(metadata: Json): Json | undefined {
  return records(metadata['ownerReferences']).find((reference) => reference['controller'] === true);
}

export function narrowOwner(owner: Json): Owner {
  return {
    group: internText(groupOf(filled(owner['apiVersion']) ?? '')),
    kind: internText(filled(owner['kind']) ?? ''),
    name: internText(filled(owner['name']) ?? ''),
    uid: internText(filled(owner['uid']) ?? ''),
  };
}

/** `batch` of `batch/v1`; the core has no group. */
function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}
