import { type Command, InvalidArgumentError } from 'commander';
import { explainPod } from '../../explain.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { renderExplanation } from '../../report/explain/text.ts';
import type { PodName } from '../../vocabulary.ts';
import { addConnectionFlags, type ConnectionFlags } from '../flags/connection.ts';
import { addPolicyFlags, type PolicyFileFlags } from '../flags/policy.ts';
import { addMinAgeFlag, type ScopeFlags } from '../flags/scope.ts';
import { addOutputFlags, complain, type OutputFlags, say } from '../output.ts';
import { ownPod } from '../own-pod.ts';
import { loadPolicy } from '../policy.ts';
import type { Run, Surroundings } from '../surroundings.ts';
import { withCluster } from '../with-cluster.ts';

type ExplainFlags = ConnectionFlags & OutputFlags & PolicyFileFlags & Pick<ScopeFlags, 'minAge'>;

/** `sidecar-sweeper explain <namespace>/<pod>`: why a pod is swept or left alone. */
export function defineExplain(program: Command, choose: (run: Run) => void): void {
  const command = program
    .command('explain')
    .description('show why a pod is swept or left alone, and what a sweep would do; changes nothing')
    .argument('<namespace/pod>', 'the pod', podName);
  addOutputFlags(addConnectionFlags(addPolicyFlags(addMinAgeFlag(command)))).action(
    (pod: PodName, flags: ExplainFlags) => {
      choose((surroundings) => runExplain(pod, flags, surroundings));
    },
  );
}

async function runExplain(pod: PodName, flags: ExplainFlags, surroundings: Surroundings): Promise<number> {
  // A pod whose sidecar never started is explained without --include-pending too.
  const policy = loadPolicy({ ...flags, includePending: true });
  const explained = await withCluster(flags, surroundings, (cluster, stop) =>
    explainPod({
      pod,
      policy,
      cluster,
      where: { context: cluster.context, server: cluster.server },
      self: ownPod(surroundings.env),
      stop: stop.signal,
    }),
  );
  if (explained.kind === 'Unread') {
    const { reading } = explained;
    const why =
      reading.kind === 'Unreadable' ? `cannot be read: ${reading.problem.message}` : 'does not exist';
    await complain(surroundings, `the pod ${pod.namespace}/${pod.name} ${why}`);
    return exitCodes.unread;
  }
  const { explanation } = explained;
  const table = (style: { readonly colour: boolean }) => renderExplanation(explanation, style);
  await say({ document: explanation, table }, flags, surroundings);
  return exitCodes.resolved;
}

/** Reads `<namespace>/<pod>`. Throws InvalidArgumentError. */
function podName(value: string): PodName {
  const [namespace, name, ...more] = value.split('/');
  if (!namespace || !name || more.length > 0) {
    throw new InvalidArgumentError('Use <namespace>/<pod>, such as jobs/report-x2k9p.');
  }
  return { namespace, name };
}
