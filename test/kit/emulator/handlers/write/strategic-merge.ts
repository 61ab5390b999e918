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
export function strategicMerge(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  if (patch['$patch'] === 'replace') return withoutDirectives(patch);
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$deleteFromPrimitiveList/')) {
      const field = key.slice('$deleteFromPrimitiveList/'.length);
      result[field] = asList(result[field]).filter((each) => !asList(value).includes(each));
    } else if (key === '$retainKeys') {
      const kept = asList(value);
      for (const field of Object.keys(result)) if (!kept.includes(field)) delete result[field];
    } else if (!key.startsWith('$')) {
      if (value === null) delete result[key];
      else result[key] = mergeField(key, result[key], value);
    }
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$setElementOrder/')) {
      const field = key.slice('$setElementOrder/'.length);
      if (Array.isArray(result[field])) result[field] = reorder(field, asList(result[field]), asList(value));
    }
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
  const directive = (item: Json) => (isObject(item) ? item['$patch'] : undefined);
  const replace = patch.some((item) => directive(item) === 'replace');
  const result: Json[] = replace ? [] : [...current];
  for (const item of patch) {
    if (directive(item) === 'replace') continue;
    const index = result.findIndex((each) => keyOf(each, by) === keyOf(item, by));
    if (directive(item) === 'delete') {
      if (index >= 0) result.splice(index, 1);
    } else if (index >= 0) result[index] = strategicMerge(result[index], item);
    else result.push(strategicMerge({}, item));
  }
  return result;
}

function reorder(field: string, items: readonly Json[], order: readonly Json[]): Json[] {
  const by = mergeKeys[field];
  const rank = (item: Json) => {
    const index = order.findIndex((each) =>
      by === undefined ? each === item : keyOf(each, by) === keyOf(item, by),
    );
    return index < 0 ? order.length : index;
  };
  return [...items].sort((one, other) => rank(one) - rank(other));
}

function keyOf(item: Json, by: string): Json {
  return isObject(item) ? item[by] : item;
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}

function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
