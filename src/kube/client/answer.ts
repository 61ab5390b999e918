import type { Problem } from '../../model/reading.ts';
import { filled, integer, isRecord, parseJson, record, records, text } from '../../util/json.ts';
import { printable } from '../../util/text.ts';
import type { Millis } from '../../util/time.ts';

export type Answer<Body = string> =
  | {
      readonly kind: 'Answered';
      readonly status: number;
      readonly body: Body;
      readonly date: Millis | undefined;
      readonly retryAfter: string | undefined;
    }
  | Unanswered;

export interface Unanswered {
  readonly kind: 'Unanswered';
  readonly problem: Problem;
  readonly isUnsent?: true;
}

export function isFleeting(answer: Answer<unknown>): boolean {
  return answer.kind === 'Unanswered' ? answer.problem.isFleeting === true : isBusy(answer.status);
}

export function refusal(answer: Answer, name?: string): Problem {
  return answer.kind === 'Unanswered' ? answer.problem : problemOf(answer.status, answer.body, name);
}

export type Status = NonNullable<ReturnType<typeof parseStatus>>;

export function parseStatus(value: unknown) {
  if (!isRecord(value)) return undefined;
  const success = value['status'] === 'Success';
  // The status frame of an exec has no kind.
  if (value['kind'] !== 'Status' && !success && value['status'] !== 'Failure') return undefined;
  const details = record(value['details']);
  return {
    reason: text(value['reason']),
    message: text(value['message']),
    code: integer(value['code']),
    continueToken: filled(record(value['metadata'])['continue']),
    about: filled(details['name']),
    causes: records(details['causes']).map((cause) => ({
      reason: text(cause['reason']),
      message: text(cause['message']),
    })),
    success,
  };
}

/** A Status without a kind is not from an API server, and proves nothing. */
export function statusIn(body: string): Status | undefined {
  const value = parseJson(body);
  return record(value)['kind'] === 'Status' ? parseStatus(value) : undefined;
}

export function problemOf(httpStatus: number, body: string, name?: string): Problem {
  const status = statusIn(body);
  if (httpStatus < 300) return unexpected('what was asked for', status?.message ?? body);
  const code = `HTTP ${httpStatus}`;
  const page = status ? undefined : describePage(httpStatus, body);
  const said = printable(status?.message ?? body.trim());
  const message = page ?? (said || code);
  switch (httpStatus) {
    case 401: {
      const refused = `the API server does not accept the credentials (${message})`;
      return { kind: 'Unauthorized', message: page ?? refused };
    }
    case 403:
      // No permission would change that, and it says nothing of other namespaces.
      if (isTerminating(status)) return { kind: 'Rejected', message };
      if (status && mayNotImpersonate.test(message)) {
        return { kind: 'Forbidden', message: `${message}; ${impersonateAdvice}`, isForeign: true };
      }
      return { kind: 'Forbidden', message, ...(!status && { isForeign: true }) };
    case 404:
      // Without a name, it is about the path, or from a gateway, which may miss a cluster (recorded: get-pod-not-found).
      return { kind: isAbout(status, name) ? 'NotFound' : 'Malformed', message };
    default: {
      const refused = said === '' ? code : `${code}: ${said}`;
      return { kind: 'Rejected', message: page ?? refused, ...fleetingIf(isBusy(httpStatus)) };
    }
  }
}

function isAbout(status: Status | undefined, name: string | undefined): boolean {
  return status?.about !== undefined && (name === undefined || status.about === name);
}

/** Only proxies and gateways send pages for browsers. */
function describePage(httpStatus: number, body: string): string | undefined {
  const isRedirect = httpStatus < 400;
  if (!isRedirect && !isHtml(body)) return undefined;
  if (isBusy(httpStatus)) {
    return `a gateway answered HTTP ${httpStatus} (HTML): is the API server behind it available?`;
  }
  const what = `HTTP ${httpStatus} (${isRedirect ? 'a redirect' : 'HTML'})`;
  return `the server answered ${what}: is it a Kubernetes API server, or does a login proxy stand in front of it?`;
}

function isHtml(body: string): boolean {
  return body.trimStart().startsWith('<');
}

/** Constrained impersonation has verbs such as `impersonate-on:user-info:list` (KEP-5284). */
const mayNotImpersonate = /" cannot impersonate(?:-on)?[ :]/;

const impersonateAdvice =
  'this account lacks impersonate on users, groups or serviceaccounts: grant it, or do not act as another user (--as, or as in the kubeconfig)';

/** https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#namespacelifecycle */
function isTerminating(status: Status | undefined): boolean {
  return status?.causes.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}

/** Whether a webhook that is asked before anything is done did not answer (apiserver, admission/plugin/webhook/errors). */
export function isUnadmitted(message: string): boolean {
  return message.includes('failed calling webhook');
}

export function isBusy(httpStatus: number): boolean {
  return httpStatus === 429 || (httpStatus >= 500 && httpStatus !== 501);
}

function fleetingIf(isFleeting: boolean): Pick<Problem, 'isFleeting'> {
  return isFleeting ? { isFleeting } : {};
}

export function unexpected(wanted: string, body: string): Problem {
  const what = isHtml(body) ? 'HTML' : printable(body, 80);
  const message = `the server answered with something that is not ${wanted} (${what}): is it a Kubernetes API server?`;
  return { kind: 'Malformed', message };
}

/** https://nodejs.org/docs/latest/api/tls.html#x509-certificate-error-codes */
const aboutCertificate =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/;

/** Errors that another try meets again, such as a wrong name; an early end of a connection is not one. */
const lasting = new RegExp(
  `${aboutCertificate.source}|^(ENOTFOUND|ERR_INVALID_URL)$|^ERR_SSL_(?!UNEXPECTED_EOF)|^HPE_(?!INVALID_EOF)`,
);

/** The error is not kept: those of node:http and ws hold the request with its bearer token. */
export function problemOfError(error: unknown, server: string, isAwaited = true): Problem {
  const { code, message } = firstOf(error);
  const mayPass = code !== undefined && !lasting.test(code) && (isAwaited || code !== 'ECONNREFUSED');
  const kind = code === 'ETIMEDOUT' ? 'TimedOut' : 'Unreachable';
  return { kind, message: whyUnreachable(code, message, server), ...fleetingIf(mayPass) };
}

function whyUnreachable(code: string | undefined, message: string, server: string): string {
  if (code !== undefined && aboutCertificate.test(code)) {
    return `the certificate of ${server} is not trusted (${code}): ${certificateAdvice(code)}`;
  }
  switch (code) {
    case 'ETIMEDOUT':
      return `no connection to ${server}: check the network or VPN`;
    case 'ECONNREFUSED':
      return `${server} refuses connections: is the cluster running?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host name of ${server} is unknown: check the kubeconfig, DNS or VPN`;
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return `${server} does not speak TLS: does it use http, or another port?`;
    case 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION':
    case 'ERR_SSL_UNSUPPORTED_PROTOCOL':
      return `${server} and this program have no TLS version in common: it needs TLS 1.2 or later`;
    default:
      return `${server} cannot be reached: ${printable(message)}`;
  }
}

function certificateAdvice(code: string): string {
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'it is for another name; check server and tls-server-name in the kubeconfig';
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'check the clocks here and there, or renew it';
    default:
      return 'check certificate-authority in the kubeconfig';
  }
}

/** Of a host with several addresses, Node's error has those of each. */
function firstOf(error: unknown): { readonly code: string | undefined; readonly message: string } {
  const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  if (!(first instanceof Error)) return { code: undefined, message: 'an error without a message' };
  const code = 'code' in first && typeof first.code === 'string' ? first.code : undefined;
  // Those of OpenSSL name its source files; its reasons are such as `tlsv13 alert certificate required`.
  const isTls = code?.startsWith('ERR_SSL_') === true;
  const message = isTls && 'reason' in first ? String(first.reason) : first.message;
  return { code, message };
}
