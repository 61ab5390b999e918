import { bounds } from '../src/model/bounds.ts';
import { fillMark } from './marks.ts';

const leftAlone = 'the pod is left alone ([OverBound](../reasons.md#overbound))';
const undecided = 'the pod is `undecided`, and all others are read';
const unread = 'the read fails, and the report says so (`unread`)';
const cut = 'it is cut there';
const unusable = 'the kubeconfig or its credentials cannot be used, and one line says why';

/** What each bound limits, and what happens beyond it. */
const rows: Readonly<Record<keyof typeof bounds, readonly [what: string, beyond: string]>> = {
  pod: ['bytes kept of a pod: its texts, and 32 for each text and each entry of a list', leftAlone],
  value: ['bytes of an annotation, variable or argument, but for lists of names', cut],
  stuckPods: [
    'bytes of all stuck pods at a time',
    'the sweep takes them in portions, those that waste most first, and warns (`InPortions`)',
  ],
  waitingPods: [
    'bytes of the pods that wait for a Job, a node or a namespace',
    'these are read before the list goes on',
  ],
  containers: ['regular containers of a pod', leftAlone],
  names: ['names in a list of an annotation or of `KUBEXIT_DEATH_DEPS`', leftAlone],
  image: ['characters of the image of a container', leftAlone],
  text: ['characters of a text that a message quotes', cut],
  problems: ['problems in one message', 'the message says how many more there are'],
  instructions: ['bytes of an annotation with a command or steps', 'none of its steps is sent'],
  words: ['words of a command in an annotation', 'none of its steps is sent'],
  arguments: ['words of the command, and of the arguments, of a container', 'the others are not read'],
  steps: ['steps for the sidecars of a pod', 'all sidecars of the pod are skipped'],
  ephemeralContainers: ['ephemeral containers of a pod', 'none is added'],
  warningsOfKind: ['warnings of one kind', 'they are counted (`totals.leftOut`)'],
  job: ['bytes kept of a Job', 'the Job counts as unreadable, and nothing that could harm it is sent'],
  jobPods: [
    'pods of a Job, or failed pods of the Jobs of a namespace, and ten times as many containers',
    'the Job counts as unreadable',
  ],
  output: ['bytes kept of what a command in a container prints', 'the end is kept'],
  logLine: ['bytes of each line of a log', cut],
  frame: ['bytes of a frame of a WebSocket', 'the connection is closed, and the step counts as unconfirmed'],
  object: ['bytes of an object, or of one pod of a list', `${unread}; of a list, ${undecided}`],
  message: ['bytes of an answer that is a message', cut],
  headers: ['bytes of the headers of an answer', unread],
  betweenPods: ['bytes of a list between two of its pods', unread],
  items: ['items of a list', unread],
  malformed: ['items of a list of pods that are not pods', unread],
  pages: ['pages of a list', unread],
  token: ['characters of the token of a page', unread],
  kubeconfig: ['bytes of a kubeconfig', unusable],
  credential: ['bytes of another file that it names', unusable],
  fileTime: [
    'milliseconds for reading such a file; `--request-timeout`, if that is shorter',
    `${unusable}; if a mount hangs, the process ends by SIGKILL`,
  ],
  pluginOutput: ['bytes that a credential plugin prints', 'it is killed, and its credentials cannot be used'],
  pluginQuestions: ['bytes of what a credential plugin asks at a terminal', 'the rest is not shown'],
};

/** docs/reference/bounds.md with a table of all bounds. */
export function withBounds(page: string): string {
  const lines = Object.entries(rows).map(
    ([name, [what, beyond]]) => `| ${figure(bounds[name as keyof typeof bounds])} | ${what} | ${beyond} |`,
  );
  return fillMark(
    page,
    'bounds',
    ['\n| most | of what | beyond it |', '|---|---|---|', ...lines, ''].join('\n'),
  );
}

function figure(most: number): string {
  if (most >= 2 ** 20 && most % 2 ** 20 === 0) return `${most / 2 ** 20} Mi`;
  if (most >= 2 ** 13 && most % 2 ** 10 === 0) return `${most / 2 ** 10} Ki`;
  return most.toLocaleString('en-US');
}
