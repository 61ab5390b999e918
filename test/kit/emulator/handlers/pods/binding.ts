import type { KubeObject, Pod } from '../../world/objects.ts';
import { bindTo } from '../../world/scheduler.ts';
import { writeOf } from '../admission/admission.ts';
import { admit } from '../admission/admit.ts';
import { type Answer, json } from '../answer.ts';
import type { Call } from '../call.ts';
import { resources } from '../resources.ts';
import { conflict, notFound } from '../status.ts';
import { parseJson } from '../write/body.ts';
import { isDryRun } from '../write/dry-run.ts';

interface Binding {
  readonly metadata?: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly target?: { readonly name?: string };
}

/** What a scheduler sends, to the pod's subresource or, with the pod's name in it, to `bindings`. Its annotations, but not its labels, are merged into the pod (measured on Kubernetes 1.24). */
export function bind(call: Call): Answer {
  const body = parseJson(call.request.body) as Binding;
  const pod = namedPod(call, call.info.name || (body.metadata?.name ?? ''));
  const dryRun = isDryRun(call);
  const kind = { group: '', version: 'v1', kind: 'Binding' };
  admit({ ...writeOf(call, 'CREATE', { object: body as KubeObject, dryRun }), kind });
  const { namespace, name } = pod.metadata;
  if (pod.spec.nodeName) {
    throw conflict(call.resource, name, `pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  }
  if (!dryRun) {
    const { store, clock } = call.backend;
    store.update<Pod>('pods', namespace, name, (current) => {
      const annotations = { ...current.metadata.annotations, ...body.metadata?.annotations };
      const annotated = { ...current, metadata: { ...current.metadata, annotations } };
      return bindTo(annotated, body.target?.name ?? '', clock.now());
    });
  }
  return json(201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
}

function namedPod({ backend, resource, info }: Call, name: string): Pod {
  const pod = backend.store.get<Pod>('pods', info.namespace, name);
  if (!pod) throw notFound(resources.find((each) => each.resource === 'pods') ?? resource, name);
  return pod;
}
