import { everyPage } from '../kube/objects/objects.ts';
import { needs, type RbacRule, withGrant } from '../methods/permissions.ts';
import type { Cluster } from '../model/ports.ts';
import type {
  Facts,
  Listed,
  NamespaceReading,
  NodeReading,
  ObjectPage,
  PageToken,
  Problem,
  Unreadable,
} from '../model/reading.ts';
import type { Scope } from '../model/scope.ts';
import type { Warning } from '../model/warning.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { Slots } from '../util/concurrency.ts';
import { stopwatch } from '../util/retry.ts';
import type { Clock, Millis } from '../util/time.ts';

/** The options that all reads of a command share; `Methods` are those of the cluster that they use. */
export interface ReadOptions<Methods extends keyof Cluster> {
  readonly cluster: Pick<Cluster, Methods>;
  readonly emit: Emit;
  readonly slots: Slots;
  readonly stop: AbortSignal;
}

/** A page of 100 Jobs costs a server some milliseconds, and a single read one or two, besides its round trip. */
export const readsPerPage = 10;

/** Reads pages as long as that saves requests. The caller reads the rest one by one, so a list that fails is no problem. */
export async function readByList<T>(
  wanted: number,
  readPage: (token: PageToken) => Promise<ObjectPage<T>>,
  take: (item: T) => 'Wanted' | 'Other',
): Promise<void> {
  let missing = wanted;
  let token: PageToken;
  for (let worth = wanted; Math.min(missing, worth) >= readsPerPage; worth -= readsPerPage) {
    const page = await readPage(token);
    if (page.kind === 'Unreadable') return;
    missing -= page.items.filter((item) => take(item) === 'Wanted').length;
    token = page.token;
    if (token === undefined) return;
  }
}

/** Reads objects concurrently: many of them by a list, until one has failed, else one by one. */
export type ReadNamed<Reading> = (names: readonly string[]) => Promise<ReadonlyMap<string, Reading>>;

function createNamedReader<Reading>(
  list: (token: PageToken) => Promise<ObjectPage<Listed<Reading>>>,
  read: (name: string) => Promise<Reading>,
  slots: Slots,
): ReadNamed<Reading> {
  let isListed = true;
  return async (names) => {
    const wanted = new Set(names);
    const readings = new Map<string, Reading>();
    const readPage = async (token: PageToken) => {
      const page = await slots(() => list(token));
      isListed &&= page.kind === 'Page';
      return page;
    };
    await readByList(isListed ? wanted.size : 0, readPage, ({ name, reading }) => {
      if (!wanted.has(name)) return 'Other';
      readings.set(name, reading);
      return 'Wanted';
    });
    const missing = [...wanted].filter((name) => !readings.has(name));
    await Promise.all(missing.map(async (name) => readings.set(name, await slots(() => read(name)))));
    return readings;
  };
}

/** Reads namespaced or cluster-scoped objects. Warns once if that fails, and does not ask again after a Forbidden. */
export function createAsker<Reading extends { readonly kind: string }>(
  emit: Emit,
  rules: readonly RbacRule[],
  toWarning: (message: string, namespace: string) => Warning,
) {
  const refused = new Map<string, Unreadable>();
  const warned = new Set<string>();
  return async (read: () => Promise<Reading | Unreadable>, namespace = ''): Promise<Reading | Unreadable> => {
    const reading = refused.get(namespace) ?? (await read());
    if (!('problem' in reading) || reading.problem.kind === 'Interrupted') return reading;
    if (reading.problem.kind === 'Forbidden') refused.set(namespace, reading);
    if (warned.has(namespace)) return reading;
    warned.add(namespace);
    emit({ kind: 'Warned', warning: toWarning(withGrant(reading.problem, rules), namespace) });
    return reading;
  };
}

export function createNodeReader(options: ReadOptions<'readNode' | 'listNodes'>): ReadNamed<NodeReading> {
  const { cluster, emit, slots, stop } = options;
  const ask = createAsker<NodeReading>(emit, needs.nodes.rules, (message) => ({
    kind: 'NodesUnreadable',
    message,
  }));
  const read = (name: string) => ask(() => cluster.readNode(name, stop));
  return createNamedReader((token) => cluster.listNodes(token, stop), read, slots);
}

/** Reports each namespace that cannot be read: its pods are left alone, so the sweep is incomplete. */
export function createNamespaceReader(
  options: ReadOptions<'readNamespace' | 'listNamespaces'>,
): ReadNamed<NamespaceReading> {
  const { cluster, emit, slots, stop } = options;
  async function read(name: string): Promise<NamespaceReading> {
    const reading = await cluster.readNamespace(name, stop);
    const isUnread = reading.kind === 'Unreadable' && reading.problem.kind !== 'Interrupted';
    if (isUnread) reportUnread(name, reading.problem, emit);
    return reading;
  }

  return createNamedReader((token) => cluster.listNamespaces(undefined, token, stop), read, slots);
}

/** Reports the namespaces that are named and do not exist; skipped without `get namespaces`. */
export async function reportMissing(
  names: readonly string[],
  { cluster, slots, emit, stop }: ReadOptions<'readNamespace'>,
): Promise<void> {
  const report = async (name: string): Promise<void> => {
    const { kind } = await slots(() => cluster.readNamespace(name, stop));
    const problem = { kind: 'NotFound', message: `namespace ${name} does not exist` } as const;
    if (kind === 'Gone') reportUnread(name, problem, emit);
  };
  await Promise.all(names.map(report));
}

function reportUnread(namespace: string, problem: Problem, emit: Emit): void {
  emit({ kind: 'ReadFailed', namespace, problem, what: 'Namespace' });
}

export interface SelectedNamespaces {
  /** Where to list pods; undefined if nowhere, because an empty list of namespaces means all. */
  readonly scope: Scope | undefined;
  /** Undefined if there is no selector; empty if the selection failed. */
  readonly names: ReadonlySet<string> | undefined;
  readonly problem?: Problem;
}

/** From here on, one list of all pods is faster than one of each namespace. */
const mostLists = 50;

export async function selectNamespaces(
  scope: Scope,
  cluster: Pick<Cluster, 'listNamespaces'>,
  abort: AbortSignal,
): Promise<SelectedNamespaces> {
  const { namespaceSelector, namespaces, excludeNamespaces = [] } = scope;
  if (namespaceSelector === undefined) return { scope, names: undefined };
  const listed = await everyPage((token) => cluster.listNamespaces(namespaceSelector, token, abort));
  if (listed.kind === 'Unreadable') return { scope: undefined, names: new Set(), problem: listed.problem };
  const names = new Set(listed.items.map(({ name }) => name));
  const isNamed = (name: string) => namespaces.length === 0 || namespaces.includes(name);
  const wanted = [...names].filter((name) => isNamed(name) && !excludeNamespaces.includes(name));
  if (wanted.length === 0) return { scope: undefined, names };
  return { scope: wanted.length > mostLists ? scope : { ...scope, namespaces: wanted }, names };
}

interface FactsOptions extends Pick<ReadOptions<'readNamespace'>, 'cluster' | 'stop'> {
  readonly facts: Facts;
  /** How long ago they were gathered, at most. */
  readonly age: () => Millis;
  readonly clock: Clock;
}

const namespaceFreshFor: Millis = 30_000;

/** A namespace is read again after 30 s, as its owner may opt out. If that fails, the last reading holds. The caller has a slot. */
export function createFactsReader(options: FactsOptions): (namespace: string) => Promise<Facts> {
  const { facts, age, cluster, clock, stop } = options;
  const latest = new Map<string, { age: () => Millis; reading?: Promise<NamespaceReading | undefined> }>();
  return async (namespace) => {
    let known = latest.get(namespace) ?? { age };
    if (known.age() > namespaceFreshFor) {
      const { reading: before } = known;
      const reading = cluster.readNamespace(namespace, stop);
      known = {
        age: stopwatch(clock),
        reading: reading.then((now) => (now.kind === 'Unreadable' ? before : now)),
      };
      latest.set(namespace, known);
    }
    const reading = await known.reading;
    return reading ? { ...facts, namespaces: new Map([[namespace, reading]]) } : facts;
  };
}

/** The uid of kube-system identifies a cluster, as in OpenTelemetry (k8s.cluster.uid): many clusters use the same address for their API server. */
export async function readClusterUid(
  cluster: Pick<Cluster, 'readNamespace'>,
  slots: Slots,
  abort: AbortSignal,
): Promise<string | undefined> {
  const reading = await slots(() => cluster.readNamespace('kube-system', abort));
  return reading.kind === 'Present' ? reading.uid : undefined;
}
