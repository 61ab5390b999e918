import type { EmulatorClock } from '../../clock.ts';
import type { KubeObject } from '../../world/objects.ts';
import type { Store, StoreEvent } from '../../world/store.ts';
import { type Answer, encoded, goJson, json, jsonHeaders, readForm } from '../answer.ts';
import { type Call, namedObject, present } from '../call.ts';
import { apiVersionOf, isTrue, type Resource } from '../resources.ts';
import { badRequest, StatusError } from '../status.ts';
import { readIncludeObject, tableOf } from '../tables/tables.ts';
import { listPage } from './list.ts';
import { readSelection, type Selection } from './selectors.ts';

export function getObject(call: Call): Answer {
  const object = present(call.resource, namedObject(call));
  switch (readForm(call.request.headers['accept'], protobufOf(call.resource))) {
    case 'Object':
      return json(200, object);
    case 'Protobuf':
      return encoded('Protobuf', 200, object);
    case 'Table': {
      const { resourceVersion } = object.metadata;
      return json(200, table(call, [object], { resourceVersion }));
    }
  }
}

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
  return watch(backend.store, backend.clock, resource, selection, request.query);
}

function table({ backend, request, resource }: Call, objects: readonly KubeObject[], metadata: object) {
  const include = readIncludeObject(request.query);
  return tableOf(resource.resource, objects, metadata, include, backend.clock.now());
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

/** A watch: the events since the resourceVersion, then every change of the selection until the timeout. */
function watch(
  store: Store,
  clock: EmulatorClock,
  resource: Resource,
  selection: Selection,
  query: URLSearchParams,
): Answer {
  const from = readResourceVersion(query.get('resourceVersion'));
  const seconds = Number(query.get('timeoutSeconds') ?? 0) || 1800 + Math.random() * 1800;
  const bookmarks = isTrue(query.get('allowWatchBookmarks'));
  return {
    kind: 'Stream',
    headers: jsonHeaders,
    open(sink) {
      const send = (event: WatchEvent) => sink.write(`${goJson(event)}\n`);
      const sendChange = (event: StoreEvent) => {
        if (event.resource !== resource.resource) return;
        const change = changeOfSelection(selection, event);
        if (change) send({ type: change.type, object: present(resource, change.object) });
      };
      const backlog = from === 0 ? undefined : store.since(from);
      if (from !== 0 && !backlog) {
        send({ type: 'ERROR', object: tooOld(from, store.compactedBefore).status });
        sink.end();
        return () => {};
      }
      if (backlog) backlog.forEach(sendChange);
      else {
        for (const object of store.list(resource.resource, selection.namespace || undefined)) {
          if (selection.matches(object)) send({ type: 'ADDED', object: present(resource, object) });
        }
      }
      const bookmark = () => send({ type: 'BOOKMARK', object: bookmarkOf(resource, store.resourceVersion) });
      const cancels = [
        store.subscribe(sendChange),
        // The server sends a final bookmark shortly before it ends a watch.
        bookmarks ? clock.after(Math.max(0, seconds * 1000 - 1500), bookmark) : () => {},
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
  if (!Number.isInteger(number) || number < 0) {
    throw badRequest(
      `resourceVersion: Invalid value: "${resourceVersion}": strconv.ParseUint: invalid syntax`,
    );
  }
  return number;
}

/**
 * Translates a store event for a selection. An object that stops matching becomes DELETED: the event has its
 * last matching state with the resourceVersion of the change.
 */
function changeOfSelection(
  selection: Selection,
  { type, object, previous }: StoreEvent,
): { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubeObject } | undefined {
  const matches = type !== 'DELETED' && selection.matches(object);
  const matched = previous !== undefined && selection.matches(previous);
  if (matches) return { type: matched ? 'MODIFIED' : 'ADDED', object };
  if (!matched) return undefined;
  if (type === 'DELETED') return { type, object };
  const { resourceVersion } = object.metadata;
  return { type: 'DELETED', object: { ...previous, metadata: { ...previous.metadata, resourceVersion } } };
}

function tooOld(from: number, oldest: number): StatusError {
  return new StatusError(410, 'Expired', `too old resource version: ${from} (${oldest})`);
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
