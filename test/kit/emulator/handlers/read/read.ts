import type { KubeObject } from '../../world/objects.ts';
import type { StoreEvent } from '../../world/store.ts';
import { type Answer, encoded, goJson, json, jsonHeaders, readForm } from '../answer.ts';
import { type Call, namedObject, present } from '../call.ts';
import { apiVersionOf, isTrue, type Resource } from '../resources.ts';
import { badRequest, StatusError } from '../status.ts';
import { tableOf } from '../tables.ts';
import { listPage } from './list.ts';
import { readSelection, type Selection } from './selectors.ts';

export function getObject(call: Call): Answer {
  const object = present(call.resource, namedObject(call));
  const form = formOf(call);
  if (form !== 'Table') return encoded(form, 200, object);
  const { resourceVersion } = object.metadata;
  return table(call, [object], { resourceVersion });
}

export function listObjects(call: Call): Answer {
  const { backend, request, resource, info } = call;
  const selection = readSelection(resource.resource, info.namespace, request.query);
  const { items, metadata } = listPage(backend.store, resource.resource, selection, request.query);
  const objects = items.map((item) => present(resource, item));
  const form = formOf(call);
  if (form === 'Table') return table(call, objects, metadata);
  return encoded(form, 200, {
    kind: `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata,
    // The items of a list have no kind and apiVersion.
    items: objects.map(({ kind, apiVersion, ...item }) => item),
  });
}

function formOf({ request, resource }: Call) {
  return readForm(request.headers['accept'], resource.group === '' && resource.resource === 'pods');
}

function table({ backend, request, resource }: Call, objects: readonly KubeObject[], metadata: object) {
  const include = request.query.get('includeObject');
  return json(200, tableOf(resource.resource, objects, metadata, include, backend.clock.now()));
}

/** A watch: the events since the resourceVersion, then every change of the selection until the timeout. */
export function watchObjects({ backend, request, resource, info }: Call): Answer {
  const { store, clock } = backend;
  const { query } = request;
  const selection = readSelection(resource.resource, info.namespace, query);
  const from = readResourceVersion(query.get('resourceVersion'));
  const seconds = Number(query.get('timeoutSeconds') ?? 0) || 1800 + Math.random() * 1800;
  const bookmarks = isTrue(query.get('allowWatchBookmarks'));
  return {
    kind: 'Stream',
    headers: jsonHeaders,
    open(sink) {
      const send = (type: StoreEvent['type'] | 'BOOKMARK' | 'ERROR', object: object) =>
        sink.write(`${goJson({ type, object })}\n`);
      const sendChange = (event: StoreEvent) => {
        if (event.resource !== resource.resource) return;
        const change = changeOfSelection(selection, event);
        if (change) send(change.type, present(resource, change.object));
      };
      const backlog = from === 0 ? [] : store.since(from);
      if (!backlog) {
        const message = `too old resource version: ${from} (${store.compactedBefore})`;
        send('ERROR', new StatusError(410, 'Expired', message).status);
        sink.end();
        return () => {};
      }
      backlog.forEach(sendChange);
      const existing = from === 0 ? store.list(resource.resource, selection.namespace || undefined) : [];
      for (const object of existing) {
        if (selection.matches(object)) send('ADDED', present(resource, object));
      }
      const cancels = [
        store.subscribe(sendChange),
        // The server sends a final bookmark shortly before it ends a watch.
        ...(bookmarks
          ? [
              clock.after(Math.max(0, seconds * 1000 - 1500), () =>
                send('BOOKMARK', bookmarkOf(resource, store.resourceVersion)),
              ),
            ]
          : []),
        clock.after(seconds * 1000, () => {
          stop();
          sink.end();
        }),
      ];
      const stop = () => {
        for (const cancel of cancels) cancel();
      };
      return stop;
    },
  };
}

function readResourceVersion(resourceVersion: string | null): number {
  const number = Number(resourceVersion ?? 0);
  if (Number.isInteger(number) && number >= 0) return number;
  throw badRequest(`resourceVersion: Invalid value: "${resourceVersion}": strconv.ParseUint: invalid syntax`);
}

/**
 * Translates a store event for a selection. An object that stops matching becomes DELETED: the event has its
 * last matching state with the resourceVersion of the change.
 */
function changeOfSelection(
  selection: Selection,
  { type, object, previous }: StoreEvent,
): Pick<StoreEvent, 'type' | 'object'> | undefined {
  const matches = type !== 'DELETED' && selection.matches(object);
  const matched = previous !== undefined && selection.matches(previous);
  if (matches) return { type: matched ? 'MODIFIED' : 'ADDED', object };
  if (!matched) return undefined;
  if (type === 'DELETED') return { type, object };
  const { resourceVersion } = object.metadata;
  return { type: 'DELETED', object: { ...previous, metadata: { ...previous.metadata, resourceVersion } } };
}

/** A bookmark is an empty object of the resource's kind. Go's zero Pod has `containers: null`. */
function bookmarkOf(resource: Resource, version: number) {
  const { kind } = resource;
  return {
    kind,
    apiVersion: apiVersionOf(resource),
    metadata: { resourceVersion: String(version) },
    ...(kind === 'Pod' ? { spec: { containers: null }, status: {} } : {}),
  };
}
