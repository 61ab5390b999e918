import type { KubeObject } from '../../world/objects.ts';
import { present } from '../call.ts';
import { matchesLabelSelector } from '../read/label-selector.ts';
import { type Resource, resources } from '../resources.ts';
import type { Write } from './admission.ts';
import type { MatchResources, ResourceRule } from './policy-objects.ts';

/**
 * The write as the policy sees it, undefined if the policy is not about it. A policy for one version of a
 * resource sees its writes through all others in that version, unless its matchPolicy is Exact.
 */
export function matching(write: Write, constraints: MatchResources = {}): Write | undefined {
  if (!selects(constraints, write)) return undefined;
  const { resourceRules = [], excludeResourceRules = [], matchPolicy = 'Equivalent' } = constraints;
  const { resource } = write.call;
  const forms = matchPolicy === 'Exact' ? [resource] : [resource, ...equivalents(resource)];
  const excluded = excludeResourceRules.some((rule) => forms.some((form) => covers(rule, write, form)));
  if (excluded) return undefined;
  // A binding without rules is about everything that its policy is about.
  const form = forms.find((each) => resourceRules.some((rule) => covers(rule, write, each)));
  if (!form) return resourceRules.length === 0 ? write : undefined;
  return form === resource ? write : inForm(write, form);
}

function equivalents(resource: Resource): readonly Resource[] {
  if (resource.resource !== 'events') return [];
  return resources.filter((each) => each.resource === 'events' && each !== resource);
}

function inForm(write: Write, form: Resource): Write {
  const show = (object: KubeObject | null) => object && present(form, object);
  const { group, version, kind } = form;
  return {
    ...write,
    kind: { group, version, kind },
    object: show(write.object),
    oldObject: show(write.oldObject),
  };
}

function covers(rule: ResourceRule, { operation, call, name }: Write, resource: Resource): boolean {
  const { subresource } = call.info;
  const has = (list: readonly string[], wanted: string) => list.includes('*') || list.includes(wanted);
  const { resourceNames = [], scope = '*' } = rule;
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, resource.group) &&
    has(rule.apiVersions, resource.version) &&
    (scope === '*' || (scope === 'Namespaced') === resource.namespaced) &&
    (resourceNames.length === 0 || resourceNames.includes(name)) &&
    rule.resources.some((each) => {
      const [of, part = ''] = each.split('/');
      return (of === '*' || of === resource.resource) && (part === '*' || part === subresource);
    })
  );
}

function selects({ namespaceSelector, objectSelector }: MatchResources, write: Write): boolean {
  const { call, object, oldObject } = write;
  const labelsOf = (of: KubeObject | null | undefined) => of?.metadata?.labels ?? {};
  const ofNamespace =
    call.resource.resource === 'namespaces'
      ? labelsOf(object ?? oldObject)
      : labelsOf(call.backend.store.get('namespaces', undefined, call.info.namespace));
  const inNamespace = call.resource.namespaced || call.resource.resource === 'namespaces';
  if (inNamespace && namespaceSelector && !matchesLabelSelector(namespaceSelector, ofNamespace)) return false;
  if (!objectSelector || Object.keys(objectSelector).length === 0) return true;
  return [object, oldObject].some(
    (each) => each?.metadata && matchesLabelSelector(objectSelector, labelsOf(each)),
  );
}
