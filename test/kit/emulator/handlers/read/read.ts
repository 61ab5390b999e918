import type { KubeObject } from '../../world/objects.ts';
import { type Answer, encoded, json, readForm } from '../answer.ts';
import { type Call, namedObject, present } from '../api.ts';
import { apiVersionOf, type Resource } from '../resources.ts';
import { metadataOf, readIncludeObject, tableOf } from '../tables/tables.ts';
import { listPage } from './list.ts';
import { readSelection } from './selectors.ts';
import { watch } from './watch.ts';

/** GET of one object, in the form that the client accepts. */
export function getObject(call: Call): Answer {
  const object = present(call.resource, namedObject(call));
  switch (readForm(call.request.headers['accept'], protobufOf(call.resource))) {
    case 'Object':
      return json(200, object);
    case 'Protobuf':
      return encoded('Protobuf', 200, object);
    case 'PartialObjectMetadata':
      return json(200, metadataOf(object));
    case 'Table': {
      const { resourceVersion } = object.metadata;
      return json(200, table(call, [object], { resourceVersion }));
    }
  }
}

/** GET of a page of objects. */
export function listObjects(call: Call): Answer {
  const { backend, request, resource, info } = call;
  const selection = readSelection(resource.resource, info.namespace, request.query);
  const { items, metadata } = listPage(backend.store, resource.resource, selection, request.query);
  const form = readForm(request.headers['accept'], protobufOf(resource));
  switch (form) {
    case 'Object':
    case 'Protobuf':
      return encoded(form === 'Protobuf' ? 'Protobuf' : 'Json', 200, {
        kind: `${resource.kind}List`,
        apiVersion: apiVersionOf(resource),
        metadata,
        items: items.map((item) => asItem(resource, item)),
      });
    case 'PartialObjectMetadata':
      return json(200, {
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        metadata,
        items: items.map((item) => ({ metadata: item.metadata })),
      });
    case 'Table':
      return json(
        200,
        table(
          call,
          items.map((item) => present(resource, item)),
          metadata,
        ),
      );
  }
}

function protobufOf({ group, resource }: Resource) {
  return { protobuf: group === '' && resource === 'pods' };
}

/** The items of a list have no kind and apiVersion. */
function asItem(resource: Resource, object: KubeObject): object {
  const { kind, apiVersion, ...item } = present(resource, object);
  return item;
}

export function watchObjects(call: Call): Answer {
  const { backend, request, resource, info } = call;
  const selection = readSelection(resource.resource, info.namespace, request.query);
  return watch(backend.store, backend.clock, resource, selection, request.query, renderer(call));
}

function renderer(call: Call): (object: KubeObject) => unknown {
  const { resource } = call;
  switch (readForm(call.request.headers['accept'])) {
    case 'Object':
      return (object) => present(resource, object);
    case 'PartialObjectMetadata':
      return metadataOf;
    case 'Table': {
      let first = true;
      return (object) => {
        const { resourceVersion } = object.metadata;
        const whole = table(call, [present(resource, object)], { resourceVersion });
        // Only the first event of a watch has column definitions.
        const shown = first ? whole : { ...whole, columnDefinitions: null };
        first = false;
        return shown;
      };
    }
  }
}

function table({ backend, request, resource }: Call, objects: readonly KubeObject[], metadata: object) {
  const include = readIncludeObject(request.query);
  return tableOf(resource.resource, objects, metadata, include, backend.clock.now());
}
