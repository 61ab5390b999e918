import { WireType } from '@bufbuild/protobuf/wire';
import { deathDependencies, listKeys } from '../../model/annotations.ts';
import { bounds } from '../../model/bounds.ts';
import { internText } from '../../util/json.ts';
import type { Millis } from '../../util/time.ts';
import {
  beginning,
  converted,
  type FieldReader,
  flag,
  integer,
  type Message,
  many,
  map,
  message,
  one,
  part,
  text,
  type Value,
} from './protobuf.ts';

/**
 * The messages of Kubernetes that are read, with the numbers of the fields that matter.
 * https://github.com/kubernetes/api/blob/master/core/v1/generated.proto
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/generated.proto
 */

/** Where Argo Workflows puts the template of a pod: up to 3.2 in an annotation, later in a variable. */
export const argoTemplate = {
  annotation: 'workflows.argoproj.io/template',
  variable: 'ARGO_TEMPLATE',
} as const;

const templates: ReadonlySet<string> = new Set(Object.values(argoTemplate));
/** Lists, of which a part would mean something else. */
const uncut: ReadonlySet<string> = new Set([...listKeys, deathDependencies, ...templates]);

const keyTag = (1 << 3) | WireType.LengthDelimited;
const valueTag = (2 << 3) | WireType.LengthDelimited;

const entry: Value<{ readonly key: string; readonly value: string }> = {
  wireType: WireType.LengthDelimited,
  read(reader: FieldReader) {
    let [key, value] = ['', ''];
    const end = reader.endOf(reader.uint32());
    while (reader.pos < end) {
      const tag = reader.uint32();
      if (tag === keyTag) key = internText(reader.text());
      else if (tag !== valueTag) reader.pass(tag);
      else value = reader.text(uncut.has(key) ? Number.POSITIVE_INFINITY : bounds.value, !templates.has(key));
    }
    if (reader.pos !== end) throw new RangeError('a message ends within a field');
    return { key, value: internText(value) };
  },
};

/** Kubernetes writes its zero time as an empty message, and some controllers write it as the year 1. */
const time: Value<Millis | undefined> = converted(message({ seconds: one(1, integer) }), ({ seconds = 0 }) =>
  seconds > 0 && seconds <= 8.64e12 ? seconds * 1000 : undefined,
);

const word = converted(text, internText);
const quantity = converted(message({ string: one(1, text) }), ({ string = '' }) => string);
const quantities = converted(
  message({ key: one(1, text), value: one(2, quantity) }),
  ({ key = '', value = '' }) => ({ key, value }),
);

const ownerReference = message({
  kind: one(1, word),
  name: one(3, word),
  uid: one(4, word),
  apiVersion: one(5, word),
  controller: one(6, flag),
});

const metadata = message({
  name: one(1, text),
  namespace: one(3, word),
  uid: one(5, text),
  generation: one(7, integer),
  deletionTimestamp: one(9, time),
  labels: map(11, entry),
  annotations: map(12, entry),
  ownerReferences: many(13, ownerReference),
  finalizers: many(14, word),
});

const named = message({ name: one(1, word) });
const present = message({});
const resources = message({ requests: map(2, quantities) });

const restartRule = message({
  action: one(1, word),
  exitCodes: part(2, message({ operator: one(1, text), values: many(2, integer) })),
});

const probe = message({
  initialDelaySeconds: one(2, integer),
  timeoutSeconds: one(3, integer),
  periodSeconds: one(4, integer),
  failureThreshold: one(6, integer),
  terminationGracePeriodSeconds: one(7, integer),
});

const container = message({
  name: one(1, word),
  image: one(2, word),
  command: many(3, text, bounds.arguments),
  args: many(4, text, bounds.arguments),
  env: many(7, entry),
  resources: part(8, resources),
  volumeMounts: many(9, message({ mountPath: one(3, text) })),
  imagePullPolicy: one(14, word),
  envFrom: many(19, present),
  startupProbe: one(22, probe),
  restartPolicy: one(24, text),
  restartPolicyRules: many(25, restartRule),
});

const podSpec = message({
  containers: many(2, container),
  restartPolicy: one(3, text),
  terminationGracePeriodSeconds: one(4, integer),
  nodeSelector: map(7, entry),
  nodeName: one(10, word),
  hostNetwork: one(11, flag),
  hostPID: one(12, flag),
  imagePullSecrets: many(15, named),
  initContainers: many(20, container),
  shareProcessNamespace: one(27, flag),
  overhead: map(32, quantities),
  // In JSON, the fields of the common part are its own.
  ephemeralContainers: many(34, message({ common: part(1, named) })),
  os: part(36, named),
  resources: part(40, resources),
});

const state = message({
  waiting: one(1, message({ reason: one(1, word) })),
  running: one(2, message({ startedAt: one(1, time) })),
  terminated: one(
    3,
    message({
      exitCode: one(1, integer),
      signal: one(2, integer),
      reason: one(3, word),
      finishedAt: one(6, time),
    }),
  ),
});

const containerStatus = message({
  name: one(1, word),
  state: part(2, state),
  lastState: part(3, state),
  restartCount: one(5, integer),
  image: one(6, word),
  containerID: one(8, text),
  started: one(9, flag),
});

const podStatus = message({
  phase: one(1, word),
  conditions: many(2, message({ type: one(1, word), status: one(2, word) })),
  reason: one(4, word),
  containerStatuses: many(8, containerStatus),
  initContainerStatuses: many(10, containerStatus),
});

export const pod = message({
  metadata: part(1, metadata),
  spec: part(2, podSpec),
  status: part(3, podStatus),
});

type Of<M> = M extends Message<infer T> ? T : never;

export type ApiPod = Of<typeof pod>;
export type ApiPodSpec = Of<typeof podSpec>;
export type ApiContainer = Of<typeof container>;
export type ApiContainerStatus = Of<typeof containerStatus>;
export type ApiProbe = Of<typeof probe>;

const names = beginning({ name: one(1, text), namespace: one(3, word), uid: one(5, text) });

/** Only what shows whether a container of a pod has terminated, and the pod's name. */
export const podGlance = beginning({
  metadata: part(1, names),
  spec: part(
    2,
    beginning({
      containers: many(2, beginning({ name: one(1, word) }), bounds.containers, true),
      restartPolicy: one(3, text),
    }),
  ),
  status: part(
    3,
    beginning({
      phase: one(1, word),
      containerStatuses: many(
        8,
        beginning({ name: one(1, word), state: part(2, message({ terminated: one(3, present) })) }),
        bounds.containers,
        true,
      ),
    }),
  ),
});
export type PodGlance = Of<typeof podGlance>;

/** Only the names of a pod, which come first. */
export const podNames = beginning({ metadata: part(1, names) });

export const typeMeta = message({ kind: one(2, text) });
export const listMeta = message({ continue: one(3, text) });

export const status = message({
  metadata: one(1, listMeta),
  status: one(2, text),
  message: one(3, text),
  reason: one(4, text),
  details: one(
    5,
    message({
      name: one(1, text),
      causes: many(4, message({ reason: one(1, text), message: one(2, text) })),
    }),
  ),
  code: one(6, integer),
});
