import fc from 'fast-check';
import type { FaultAction } from '../../emulator/index.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';

/** Something that goes wrong with the requests of one kind. */
export interface RandomFault {
  readonly what: keyof ReturnType<typeof actions>;
  readonly at: keyof typeof places;
  readonly skip: number;
  readonly times: number;
}

/** For how many seconds a busy server wants no requests. */
export const retryAfter = 2;

/** What a hostile server writes: control characters, marks that turn text around, and something like a log line. */
const hostile = '\u001b[2J\u009b31m\u202egnp.exe\r\n{"level":"info"}\u2028';

/** A server that says what it was sent, as proxies do when they are broken, shows whether that comes out again. */
function actions(token: string) {
  const body = `${hostile} Authorization: Bearer ${token}`;
  return {
    Busy: { kind: 'Answer', status: 429, body, headers: { 'Retry-After': String(retryAfter) } },
    Broken: { kind: 'Answer', status: 503, body },
    Wrong: { kind: 'Answer', status: 500, body },
    Refused: { kind: 'Answer', status: 403, body },
    Missing: { kind: 'Answer', status: 404, body },
    Drop: { kind: 'Drop' },
    NoStatus: { kind: 'Frames', frames: [new Uint8Array([1, 27, 91, 50, 74])], end: { kind: 'Close' } },
    Cut: { kind: 'Frames', frames: [], end: { kind: 'Terminate' } },
    Silent: { kind: 'Frames', frames: [], end: { kind: 'StayOpen' } },
    Hang: { kind: 'NeverAnswer' },
    Slow: { kind: 'Delay', milliseconds: 4_000 },
  } as const satisfies Record<string, FaultAction>;
}

const places = {
  List: { verb: 'list', resource: 'pods' },
  Read: { verb: 'get', resource: 'pods', subresource: '' },
  Exec: { resource: 'pods', subresource: 'exec' },
  Write: { resource: 'pods', method: 'PATCH' },
  Delete: { resource: 'pods', method: 'DELETE' },
} as const;

const kinds = [
  ...(['Busy', 'Broken', 'Wrong', 'Refused', 'Missing', 'Drop'] as const),
  ...(['NoStatus', 'Cut', 'Silent', 'Hang', 'Slow'] as const),
];

export const randomFault: fc.Arbitrary<RandomFault> = fc.record({
  what: fc.constantFrom(...kinds),
  at: fc.constantFrom<RandomFault['at'][]>(
    'List',
    'List',
    'Read',
    'Read',
    'Exec',
    'Exec',
    'Exec',
    'Write',
    'Delete',
  ),
  // Of most kinds, a sweep makes few requests.
  skip: fc.constantFrom(0, 0, 0, 0, 1, 2, 4),
  times: fc.integer({ min: 1, max: 5 }),
});

/** Adds a fault, about all pods of a namespace or one of them. Returns its removal. */
export function addFault(
  { what, at, skip, times }: RandomFault,
  { emulator }: Pick<SimulatedCluster, 'emulator'>,
  where: { readonly namespace: string; readonly name?: string },
): () => void {
  return emulator.faults.add({ ...places[at], ...where }, actions(emulator.token)[what], { skip, times });
}
