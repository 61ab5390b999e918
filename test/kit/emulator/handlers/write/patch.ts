import jsonPatch from 'fast-json-patch';
import type { KubeObject } from '../../world/objects.ts';
import { type Answer, type ApiRequest, json } from '../answer.ts';
import { type Call, present } from '../call.ts';
import { badRequest, StatusError } from '../status.ts';
import { checkFields, parseJson, warningHeader } from './body.ts';
import { strategicMerge } from './strategic-merge.ts';
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

/** Reads a request's patch as a function from the current object to the patched one. */
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
