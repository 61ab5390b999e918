import { type Command, InvalidArgumentError } from 'commander';
import { explainPod } from '../../explain.ts';
import { printable } from '../../printable.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { renderExplanation } from '../../report/explanation-text.ts';
import { renderJson } from '../../report/json.ts';
import type { PodName } from '../../vocabulary.ts';
import { connect } from '../connect.ts';
import {
  addConnectionFlags,
  addMinAgeFlag,
  addOutputFlags,
  addPolicyFlags,
  type ConnectionFlags,
  type OutputFlags,
  type PolicyFileFlags,
  type ScopeFlags,
} from '../flags.ts';
import { ownPod } from '../own-pod.ts';
import { loadPolicy } from '../policy.ts';
import { print, type Run, type Surroundings, usesColour } from '../surroundings.ts';

type ExplainFlags = ConnectionFlags & OutputFlags & PolicyFileFlags & Pick<ScopeFlags, 'minAge'>;

/** `sidecar-sweeper explain <namespace>/<pod>`: how judging comes to its verdict on a pod. */
export function defineExplain(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('explain')
    .description('shows why a pod is swept or left alone, and what a sweep would do; changes nothing')
    .argument('<namespace/pod>', 'the pod', podName);
  addOutputFlags(addConnectionFlags(addPolicyFlags(addMinAgeFlag(command)))).action(
    (pod: PodName, flags: ExplainFlags) => {
      choose((surroundings) => runExplain(pod, flags, surroundings));
    },
  );
}

async function runExplain(pod: PodName, flags: ExplainFlags, surroundings: Surroundings): Promise<number> {
  const { env, stdout, stderr, onSignal } = surroundings;
  const cluster = await connect(flags, env);
  const stopping = new AbortController();
  onSignal(() => stopping.abort('Signal'));
  const { context, server } = cluster;
  const explained = await explainPod({
    pod,
    // A pod that never came to run is explained as that, although a sweep looks for it only when asked to.
    policy: loadPolicy({ ...flags, includePending: true }),
    cluster,
    where: { context, server },
    self: ownPod(env),
    stop: stopping.signal,
  });
  await cluster.close();
  if (explained.kind === 'Unread') {
    const { reading } = explained;
    const why =
      reading.kind === 'Unreadable' ? `cannot be read: ${reading.problem.message}` : 'does not exist';
    await print(stderr, `sidecar-sweeper: the pod ${printable(`${pod.namespace}/${pod.name} ${why}`)}\n`);
    return exitCodes.unread;
  }
  const { explanation } = explained;
  const asTable = (flags.output ?? (stdout.isTTY ? 'table' : 'json')) === 'table';
  const colour = usesColour(stdout, env);
  await print(stdout, asTable ? renderExplanation(explanation, { colour }) : renderJson(explanation));
  return exitCodes.resolved;
}

/** Throws InvalidArgumentError. */
function podName(value: string): PodName {
  const [namespace, name, ...more] = value.split('/');
  if (!namespace || !name || more.length > 0) {
    throw new InvalidArgumentError('Write <namespace>/<pod>, such as jobs/report-x2k9p.');
  }
  return { namespace, name };
}
