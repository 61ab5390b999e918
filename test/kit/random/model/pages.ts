import fc from 'fast-check';
import type { PodReader } from '../../../../src/kube/client/transport.ts';
import { findPods, listPods } from '../../../../src/kube/pods/list.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { answered, readOf } from '../../../builders/transport.ts';

export const pageNames = [
  'paging: pods that are there all the time are given once, whatever the pages, expiries and changes',
] as const;

/** What happens just before a page is asked for. */
interface Incident {
  readonly page: number;
  readonly kind: 'Expire' | 'ExpireWithToken' | 'ExpireInBody' | 'Insert' | 'Delete';
  readonly which: number;
}

interface Listing {
  readonly pods: number;
  readonly pageSize: number;
  readonly by: 'listPods' | 'findPods';
  readonly incidents: readonly Incident[];
}

const listing: fc.Arbitrary<Listing> = fc.record({
  pods: fc.nat({ max: 12 }),
  pageSize: fc.integer({ min: 1, max: 5 }),
  by: fc.constantFrom<Listing['by'][]>('listPods', 'findPods'),
  incidents: fc.array(
    fc.record({
      page: fc.nat({ max: 8 }),
      kind: fc.constantFrom<Incident['kind'][]>(
        'Expire',
        'ExpireWithToken',
        'ExpireInBody',
        'Insert',
        'Delete',
      ),
      which: fc.nat({ max: 99 }),
    }),
    // A list that expires more often than five times is given up.
    { maxLength: 5 },
  ),
});

/** Lists need no cluster. */
export function pages() {
  return fc.asyncProperty(listing, async (drawn) => {
    const server = new PagingServer(drawn);
    const lists = { listPods, findPods };
    const scope = { namespaces: [], labelSelector: undefined };
    const given: string[] = [];
    for await (const part of lists[drawn.by](server, scope, new AbortController().signal)) {
      if (part.kind === 'Failed') throw new Error(`the list failed: ${part.problem.message}`);
      if (part.kind !== 'Page') continue;
      given.push(...part.pods.map(({ ref }) => ref.uid), ...(part.atWork ?? []).map(({ uid }) => uid));
    }
    const missing = server.lasting.filter((uid) => !given.includes(uid));
    const twice = given.filter((uid, index) => given.indexOf(uid) !== index);
    if (missing.length + twice.length > 0) throw new Error(`missing: ${missing}; twice: ${twice}`);
  });
}

/** A server whose pages are as small as it likes, and whose tokens expire. */
class PagingServer implements PodReader {
  readonly redact = (text: string) => text;
  /** The pods that have been there since the beginning. */
  lasting: readonly string[];
  #pods: readonly string[];
  #asked = 0;
  /** By token, what is left of a list: pages show the cluster as it was for the first one. */
  readonly #rest = new Map<string, readonly string[]>();

  constructor(private readonly drawn: Listing) {
    this.#pods = Array.from({ length: drawn.pods }, (_, index) => `pod-${10 + index}`);
    this.lasting = this.#pods;
  }

  readonly read = readOf(async (_path, query) => {
    const page = this.#asked++;
    const due = this.drawn.incidents.filter((incident) => incident.page === page);
    for (const incident of due) this.#change(incident);
    const expiry = due.find(({ kind }) => kind.startsWith('Expire'));
    return expiry ? this.#expired(expiry, query['continue']) : this.#page(query['continue']);
  });

  #change({ kind, which }: Incident): void {
    if (kind === 'Insert')
      this.#pods = [...this.#pods, `pod-${10 + (which % 12)}-${this.#asked}-${this.#pods.length}`].sort();
    if (kind !== 'Delete') return;
    const gone = this.#pods[which % Math.max(this.#pods.length, 1)];
    this.#pods = this.#pods.filter((uid) => uid !== gone);
    this.lasting = this.lasting.filter((uid) => uid !== gone);
  }

  #page(token: string | undefined) {
    const all = (token === undefined ? undefined : this.#rest.get(token)) ?? this.#pods;
    const rest = all.slice(this.drawn.pageSize);
    const next = rest.length === 0 ? '' : this.#tokenFor(rest);
    const items = all.slice(0, this.drawn.pageSize).map((uid) => apiPod({ metadata: { name: uid, uid } }));
    return answered(200, { kind: 'PodList', apiVersion: 'v1', metadata: { continue: next }, items });
  }

  /** https://kubernetes.io/docs/reference/using-api/api-concepts/#410-gone-responses */
  #expired({ kind }: Incident, token: string | undefined) {
    const [first] = this.#rest.get(token ?? '') ?? [];
    const left = this.#pods.filter((uid) => first !== undefined && uid >= first);
    const metadata = kind === 'ExpireWithToken' && left.length > 0 ? { continue: this.#tokenFor(left) } : {};
    const status = { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, metadata };
    return answered(kind === 'ExpireInBody' ? 200 : 410, status);
  }

  #tokenFor(rest: readonly string[]): string {
    const token = `token-${this.#rest.size}`;
    this.#rest.set(token, rest);
    return token;
  }
}
