import * as models from '@kubernetes/client-node';
import { isRecord } from '../../../src/util/json.ts';
import type { Manifest } from './render.ts';

/** A field in the client library's models, which are generated from the API's schema. */
interface Field {
  readonly baseName: string;
  readonly type: string;
}

/** Validates an object: returns unknown fields and values of the wrong type, with their paths. */
export function schemaProblems(object: Manifest): readonly string[] {
  const model = modelOf(`V1${object.kind}`);
  return model ? problemsOf(object, model, '') : [`no such kind: ${object.kind}`];
}

function problemsOf(value: unknown, fields: readonly Field[], path: string): readonly string[] {
  if (!isRecord(value)) return [`${path}: not an object`];
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = fields.find(({ baseName }) => baseName === name);
    const at = path === '' ? name : `${path}.${name}`;
    return field ? typeProblems(inner, field.type, at) : [`${at}: unknown field`];
  });
}

function typeProblems(value: unknown, type: string, path: string): readonly string[] {
  const [, element] = /^Array<(.*)>$/.exec(type) ?? [];
  if (element !== undefined) {
    if (!Array.isArray(value)) return [`${path}: not a list`];
    return value.flatMap((each, index) => typeProblems(each, element, `${path}[${index}]`));
  }
  const [, entry] = /^\{ \[key: string\]: (.*); \}$/.exec(type) ?? [];
  if (entry !== undefined) {
    if (!isRecord(value)) return [`${path}: not a map`];
    return Object.entries(value).flatMap(([key, each]) => typeProblems(each, entry, `${path}.${key}`));
  }
  const model = modelOf(type);
  if (model) return problemsOf(value, model, path);
  return isOfType(value, type) ? [] : [`${path}: not a ${type}`];
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    case 'IntOrString':
      return typeof value === 'string' || Number.isInteger(value);
    case 'any':
      return true;
    default:
      return false;
  }
}

function modelOf(type: string): readonly Field[] | undefined {
  const model: unknown = Reflect.get(models, type);
  const hasFields = typeof model === 'function' && 'getAttributeTypeMap' in model;
  return hasFields && typeof model.getAttributeTypeMap === 'function'
    ? model.getAttributeTypeMap()
    : undefined;
}
