import { integer as toInteger, text as toText } from '../json.ts';
import { beginning, converted, flag, integer, many, map, message, one, text } from './protobuf.ts';

/**
 * The messages of Kubernetes that are read, with the numbers of the fields that matter.
 * https://github.com/kubernetes/api/blob/master/core/v1/generated.proto
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/generated.proto
 */

const quantity = converted(message({ 1: one('string', text) }), ({ string }) => toText(string) ?? '');

/** Kubernetes writes its zero time as an empty message. */
const time = converted(message({ 1: one('seconds', integer) }), ({ seconds }) => {
  const date = new Date((toInteger(seconds) ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
});

const ownerReference = message({
  1: one('kind', text),
  3: one('name', text),
  4: one('uid', text),
  5: one('apiVersion', text),
  6: one('controller', flag),
});

const metadata = message({
  1: one('name', text),
  3: one('namespace', text),
  5: one('uid', text),
  9: one('deletionTimestamp', time),
  11: map('labels', text),
  12: map('annotations', text),
  13: many('ownerReferences', ownerReference),
  14: many('finalizers', text),
});

const named = message({ 1: one('name', text) });
const present = message({});

/** In JSON, the fields of the common part are its own. */
const ephemeralContainer = converted(message({ 1: one('common', named) }), ({ common }) => common);

const resources = message({ 2: map('requests', quantity) });

const restartRule = message({
  1: one('action', text),
  2: one('exitCodes', message({ 1: one('operator', text), 2: many('values', integer) })),
});

const probe = message({
  2: one('initialDelaySeconds', integer),
  3: one('timeoutSeconds', integer),
  4: one('periodSeconds', integer),
  6: one('failureThreshold', integer),
  7: one('terminationGracePeriodSeconds', integer),
});

const container = message({
  1: one('name', text),
  2: one('image', text),
  3: many('command', text),
  4: many('args', text),
  7: many('env', message({ 1: one('name', text), 2: one('value', text) })),
  8: one('resources', resources),
  9: many('volumeMounts', message({ 3: one('mountPath', text) })),
  10: one('livenessProbe', present),
  12: one('lifecycle', message({ 1: one('postStart', present) })),
  14: one('imagePullPolicy', text),
  19: many('envFrom', present),
  22: one('startupProbe', probe),
  24: one('restartPolicy', text),
  25: many('restartPolicyRules', restartRule),
});

const podSpec = message({
  2: many('containers', container),
  3: one('restartPolicy', text),
  4: one('terminationGracePeriodSeconds', integer),
  7: map('nodeSelector', text),
  10: one('nodeName', text),
  11: one('hostNetwork', flag),
  12: one('hostPID', flag),
  15: many('imagePullSecrets', named),
  20: many('initContainers', container),
  27: one('shareProcessNamespace', flag),
  32: map('overhead', quantity),
  34: many('ephemeralContainers', ephemeralContainer),
  36: one('os', named),
  40: one('resources', resources),
});

const state = message({
  1: one('waiting', message({ 1: one('reason', text) })),
  2: one('running', message({ 1: one('startedAt', time) })),
  3: one(
    'terminated',
    message({
      1: one('exitCode', integer),
      2: one('signal', integer),
      3: one('reason', text),
      6: one('finishedAt', time),
    }),
  ),
});

const containerStatus = message({
  1: one('name', text),
  2: one('state', state),
  3: one('lastState', state),
  5: one('restartCount', integer),
  6: one('image', text),
  8: one('containerID', text),
  9: one('started', flag),
  10: map('allocatedResources', quantity),
});

const podStatus = message({
  1: one('phase', text),
  2: many('conditions', message({ 1: one('type', text), 2: one('status', text) })),
  4: one('reason', text),
  8: many('containerStatuses', containerStatus),
  10: many('initContainerStatuses', containerStatus),
  14: one('resize', text),
});

/** Only what shows whether a container of a pod has terminated, and the pod's name. */
export const podGlance = beginning({
  1: one('metadata', beginning({ 1: one('name', text), 3: one('namespace', text), 5: one('uid', text) })),
  2: one(
    'spec',
    beginning({ 2: many('containers', beginning({ 1: one('name', text) })), 3: one('restartPolicy', text) }),
  ),
  3: one(
    'status',
    beginning({
      1: one('phase', text),
      8: many(
        'containerStatuses',
        beginning({ 1: one('name', text), 2: one('state', message({ 3: one('terminated', present) })) }),
      ),
    }),
  ),
});

/** A pod as `narrowPod` takes it. */
export const pod = message({
  1: one('metadata', metadata),
  2: one('spec', podSpec),
  3: one('status', podStatus),
});

/** The names of a pod, which come first in its metadata, and these first in the pod. */
export const podNames = { 1: 'name', 3: 'namespace' } as const;

export const typeMeta = message({ 1: one('apiVersion', text), 2: one('kind', text) });
export const listMeta = message({ 2: one('resourceVersion', text), 3: one('continue', text) });

export const status = message({
  1: one('metadata', listMeta),
  2: one('status', text),
  3: one('message', text),
  4: one('reason', text),
  5: one(
    'details',
    message({
      1: one('name', text),
      4: many('causes', message({ 1: one('reason', text), 2: one('message', text) })),
      5: one('retryAfterSeconds', integer),
    }),
  ),
  6: one('code', integer),
});
