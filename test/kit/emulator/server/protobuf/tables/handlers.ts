// What the kubelet does to a container: probes and hooks.
// https://github.com/kubernetes/api/blob/master/core/v1/generated.proto

import { always, inline, list, message, pointer } from '../fields.ts';
import { integer, intOrText, text } from '../types.ts';

const execAction = message('ExecAction', { command: list(1, text) });

const httpHeader = message('HTTPHeader', { name: always(1, text), value: always(2, text) });

const httpGetAction = message('HTTPGetAction', {
  path: always(1, text),
  port: always(2, intOrText),
  host: always(3, text),
  scheme: always(4, text),
  httpHeaders: list(5, httpHeader),
  protocol: pointer(6, text),
});

const tcpSocketAction = message('TCPSocketAction', { port: always(1, intOrText), host: always(2, text) });

const grpcAction = message('GRPCAction', {
  port: always(1, integer),
  service: pointer(2, text),
  mode: pointer(3, text),
});

const probeHandler = message('ProbeHandler', {
  exec: pointer(1, execAction),
  httpGet: pointer(2, httpGetAction),
  tcpSocket: pointer(3, tcpSocketAction),
  grpc: pointer(4, grpcAction),
});

export const probe = message('Probe', {
  handler: inline(1, probeHandler),
  initialDelaySeconds: always(2, integer),
  timeoutSeconds: always(3, integer),
  periodSeconds: always(4, integer),
  successThreshold: always(5, integer),
  failureThreshold: always(6, integer),
  terminationGracePeriodSeconds: pointer(7, integer),
});

const sleepAction = message('SleepAction', { seconds: always(1, integer) });

const lifecycleHandler = message('LifecycleHandler', {
  exec: pointer(1, execAction),
  httpGet: pointer(2, httpGetAction),
  tcpSocket: pointer(3, tcpSocketAction),
  sleep: pointer(4, sleepAction),
});

export const lifecycle = message('Lifecycle', {
  postStart: pointer(1, lifecycleHandler),
  preStop: pointer(2, lifecycleHandler),
  stopSignal: pointer(3, text),
});
