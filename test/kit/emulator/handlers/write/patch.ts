import jsonPatch from 'fast-json-patch';
import type { KubeObject } from '../../world/objects.ts';
import { type Answer, type ApiRequest, json } from '../answer.ts';
import { type Call, present } from '../call.ts';
import { badRequest, StatusError } from '../status.ts';
import { checkFields, parseJson, warningHeader } from './body.ts';
import { commitChange } from './update.ts';

/** PATCH in every form except server-side apply. */
export function patchObject(call: Call): Answer {
  const { request, resource } = call;
  const apply = readPatch(request);
  let warnings: string[] = [];
  const updated = commitChange(call, (current) => {
    const patched = apply(present(resource, current));
    const checked = checkFields(resource, patched, request.query.get('fieldValidation') ?? 'Warn');
    warnings = checked.warnings;
    return checked.object;
  });
  return json(200, present(resource, updated), warningHeader(warnings));
}

function readPatch(request: ApiRequest): (object: KubeObject) => KubeObject {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim();
  const patch = parseJson(request.body);
  switch (type) {
    case 'application/json-patch+json':
      return (object) => applyJsonPatch(object, patch);
    case 'application/merge-patch+json':
      return (object) => mergePatch(object, patch) as KubeObject;
    case 'application/strategic-merge-patch+json':
      return (object) => strategicMerge(object, patch) as KubeObject;
    default:
      throw new StatusError(
        415,
        'UnsupportedMediaType',
        'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json',
        { details: {} },
      );
  }
}

function applyJsonPatch(object: KubeObject, patch: unknown): KubeObject {
  if (!Array.isArray(patch))
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value');
  try {
    return jsonPatch.applyPatch(structuredClone(object), patch, true).newDocument;
  } catch {
    // The server answers a failed `test` and a missing path alike, without saying which it was.
    const message = 'the server rejected our request due to an error in our request';
    throw new StatusError(422, 'Invalid', message, { details: {} });
  }
}

/** RFC 7386: null removes, objects merge, other values replace. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result: Record<string, unknown> = isObject ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

type Json = unknown;
type JsonObject = Record<string, Json>;

/** The key by which the elements of each list merge. Other lists are replaced as a whole. */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  env: 'name',
  ports: 'containerPort',
  volumes: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  conditions: 'type',
  ownerReferences: 'uid',
  secrets: 'name',
  taints: 'key',
};

/** Lists of plain values that a patch extends. */
const sets = new Set(['finalizers']);

/** A strategic merge patch: like a merge patch, but lists with a merge key are merged by that key. */
function strategicMerge(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    // The order of a list whose elements are merged matters to nothing here.
    if (key.startsWith('$setElementOrder/')) continue;
    if (key.startsWith('$')) throw new Error(`the emulator does not know the directive ${key} of a patch`);
    if (value === null) delete result[key];
    else result[key] = mergeField(key, result[key], value);
  }
  return result;
}

function mergeField(key: string, current: Json, value: Json): Json {
  if (!Array.isArray(value)) return strategicMerge(current, value);
  if (sets.has(key)) return [...new Set([...asList(current), ...value])];
  const by = mergeKeys[key];
  return by === undefined ? value : mergeList(by, asList(current), value);
}

function mergeList(by: string, current: readonly Json[], patch: readonly Json[]): Json[] {
  const result: Json[] = [...current];
  for (const item of patch) {
    const index = result.findIndex((each) => keyOf(each, by) === keyOf(item, by));
    if (isObject(item) && item['$patch'] === 'delete') {
      if (index >= 0) result.splice(index, 1);
    } else if (index >= 0) result[index] = strategicMerge(result[index], item);
    else result.push(strategicMerge({}, item));
  }
  return result;
}

function keyOf(item: Json, by: string): Json {
  return isObject(item) ? item[by] : item;
}

function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
