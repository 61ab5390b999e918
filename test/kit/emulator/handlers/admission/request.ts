import type { Write } from './admission.ts';

/** The CEL variable `request`: an AdmissionRequest without its objects. Empty fields are absent. */
export function admissionRequest({ call, operation, kind, name, dryRun }: Write): object {
  const { info, resource, user } = call;
  const { group, version } = resource;
  const its = { group, version, resource: resource.resource };
  const subResource = info.subresource || undefined;
  return {
    kind,
    resource: its,
    subResource,
    requestKind: kind,
    requestResource: its,
    requestSubResource: subResource,
    name: name || undefined,
    namespace: (resource.resource === 'namespaces' ? name : info.namespace) || undefined,
    operation,
    userInfo: { username: user.username, groups: user.groups },
    dryRun,
  };
}
