import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

/** The files of `src` that have no test of their own: where each is tested, and a word that stands in both files. */
const elsewhere: readonly (readonly [file: string, test: string, word: string])[] = [
  ['advise-from.ts', 'integration/advise/advise.test.ts', 'no cluster was asked'],
  ['advise.ts', 'integration/advise/advise.test.ts', 'advise'],
  ['advise/advice.ts', 'unit/advise/why.test.ts', 'SwitchMisspelt'],
  ['advise/inject.ts', 'unit/advise/owner.test.ts', 'keep sweeping'],
  ['advise/move.ts', 'unit/advise/owner.test.ts', 'cannot be changed'],
  ['cli/commands/advise.ts', 'integration/advise/advise.test.ts', 'advise'],
  ['cli/commands/check-access.ts', 'integration/cli/check-access.test.ts', 'check-access'],
  ['cli/commands/completion.ts', 'integration/cli/completion.test.ts', 'completion'],
  ['cli/commands/explain.ts', 'integration/judge/explain.test.ts', 'explain'],
  ['cli/commands/help.ts', 'unit/cli/what-is-wrong.test.ts', 'help report m'],
  ['cli/commands/profiles.ts', 'integration/cli/policy-files.test.ts', 'profiles'],
  ['cli/commands/report.ts', 'integration/sweep/shards.test.ts', 'merge'],
  ['cli/commands/scan.ts', 'integration/judge/explain.test.ts', 'scan'],
  ['cli/commands/sweep.ts', 'unit/cli/program.test.ts', 'sweep'],
  ['cli/commands/validate.ts', 'integration/cli/policy-files.test.ts', 'validate'],
  ['cli/completion/scripts.ts', 'integration/cli/completion.test.ts', 'sidecar-sweeper'],
  ['cli/flags/brake.ts', 'unit/cli/policy.test.ts', '--brake-pods'],
  ['cli/flags/caps.ts', 'unit/cli/policy.test.ts', '--max-pods'],
  ['cli/flags/color.ts', 'unit/cli/program.test.ts', '--color'],
  ['cli/flags/connection.ts', 'unit/cli/program.test.ts', '--request-timeout'],
  ['cli/flags/events.ts', 'unit/documented.test.ts', '--'],
  ['cli/flags/fail-on.ts', 'integration/sweep/records.test.ts', '--fail-on'],
  ['cli/flags/lock.ts', 'integration/sweep/lock.test.ts', '--lock'],
  ['cli/flags/log-level.ts', 'unit/cli/sweep/log.test.ts', 'LogLevel'],
  ['cli/flags/policy.ts', 'unit/cli/policy.test.ts', '--unclean-exit'],
  ['cli/flags/publish.ts', 'integration/monitoring/monitoring.test.ts', '--metrics-file'],
  ['cli/flags/scope.ts', 'unit/cli/program.test.ts', '--all-namespaces'],
  ['cli/flags/shard.ts', 'unit/cli/sweep/shard.test.ts', '--shard'],
  ['cli/flags/sweep.ts', 'unit/cli/program.test.ts', '--concurrency'],
  ['cli/flags/values.ts', 'unit/cli/program.test.ts', '24d'],
  ['cli/main.ts', 'integration/cli/reader-gone.test.ts', 'reader'],
  ['cli/on-stop.ts', 'integration/sweep/stop.test.ts', 'SIGINT'],
  ['cli/run.ts', 'integration/cli/errors.test.ts', '; see '],
  ['cli/runs/advise-from.ts', 'integration/advise/advise.test.ts', '--context'],
  ['cli/runs/advise.ts', 'integration/advise/advise.test.ts', 'advise'],
  ['cli/runs/check-access.ts', 'integration/cli/errors.test.ts', 'of this account are unknown'],
  ['cli/runs/completion.ts', 'integration/cli/completion.test.ts', 'namespace'],
  ['cli/runs/explain.ts', 'integration/judge/explain.test.ts', 'explain'],
  ['cli/runs/files.ts', 'integration/cli/report.test.ts', 'there is no report'],
  ['cli/runs/profiles.ts', 'integration/cli/policy-files.test.ts', 'profiles'],
  ['cli/runs/report-merge.ts', 'integration/sweep/shards.test.ts', 'merge'],
  ['cli/runs/report.ts', 'integration/cli/report.test.ts', 'report'],
  ['cli/runs/scan.ts', 'integration/judge/explain.test.ts', 'scan'],
  ['cli/runs/validate.ts', 'integration/cli/policy-files.test.ts', 'is a valid SweepPolicy'],
  ['cli/sweep/listeners.ts', 'integration/sweep/pod-events.test.ts', 'events'],
  ['cli/sweep/lock.ts', 'integration/sweep/lock.test.ts', 'sidecar-sweeper'],
  ['cli/sweep/publish.ts', 'integration/monitoring/monitoring.test.ts', 'metrics'],
  ['cli/sweep/sweep-cluster.ts', 'integration/sweep/lock.test.ts', 'LockOccupied'],
  ['cli/unwritten.ts', 'integration/cli/full-disk.test.ts', 'no space left on device'],
  ['cli/whole-file.ts', 'integration/cli/full-disk.test.ts', 'the last piece'],
  ['cli/with-cluster.ts', 'integration/sweep/stop.test.ts', 'deadline'],
  ['defaults.ts', 'unit/cli/program.test.ts', 'requestTimeout'],
  ['explain.ts', 'integration/judge/explain.test.ts', 'explain'],
  ['fields.ts', 'unit/report/schema-fields.test.ts', 'milliseconds'],
  ['gather/named-reader.ts', 'unit/gather/nodes.test.ts', 'list'],
  ['history/distinct.ts', 'unit/history/sweeps.test.ts', 'merge'],
  ['history/group.ts', 'unit/history/lists.test.ts', 'wasted'],
  ['history/past.ts', 'unit/history/history.test.ts', 'gone'],
  ['history/recurring.ts', 'unit/history/lists.test.ts', 'recurring'],
  ['history/sighting.ts', 'unit/history/lists.test.ts', 'AlreadyEnded'],
  ['history/spent.ts', 'unit/history/history.test.ts', 'gibHours'],
  ['history/story.ts', 'unit/history/history.test.ts', 'sweeps'],
  ['history/stuck.ts', 'unit/history/lists.test.ts', 'reasons'],
  ['history/totals.ts', 'unit/history/history.test.ts', 'reclaimed'],
  ['history/why.ts', 'unit/history/lists.test.ts', 'reason'],
  ['index.ts', 'integration/library/library.test.ts', 'planSweep'],
  ['judge/checks/age.ts', 'unit/judge/checks.test.ts', 'TooYoung'],
  ['judge/checks/exempt.ts', 'unit/judge/checks.test.ts', 'SystemNamespace'],
  ['judge/checks/mains.ts', 'unit/judge/checks.test.ts', 'MainWaiting'],
  ['judge/checks/namespace.ts', 'unit/judge/checks.test.ts', 'NamespaceOptedOut'],
  ['judge/checks/pod-state.ts', 'unit/judge/checks.test.ts', 'NodeNotReady'],
  ['judge/checks/sidecars.ts', 'unit/judge/checks.test.ts', 'RestartsOthers'],
  ['judge/hangs/hang-check.ts', 'unit/judge/hanging.test.ts', 'minAge'],
  ['judge/hangs/main-not-restarted.ts', 'unit/judge/hanging.test.ts', 'MainNotRestarted'],
  ['judge/hangs/native-sidecar-runs-on.ts', 'unit/judge/hanging.test.ts', 'NativeSidecarRunsOn'],
  ['judge/hangs/proxy-ended-first.ts', 'unit/judge/hanging.test.ts', 'ProxyEndedFirst'],
  ['judge/hangs/restart-policy-dropped.ts', 'unit/judge/hanging.test.ts', 'RestartPolicyDropped'],
  ['judge/hangs/startup-probe-stopped.ts', 'unit/judge/hanging.test.ts', 'StartupProbeStopped'],
  ['judge/roles/argo.ts', 'unit/judge/roles.test.ts', 'ArgoWorkflow'],
  ['judge/roles/catalogue.ts', 'unit/judge/roles.test.ts', 'Catalogue'],
  ['judge/roles/default-container.ts', 'unit/judge/roles.test.ts', 'DefaultContainer'],
  ['judge/roles/istio.ts', 'unit/judge/roles.test.ts', 'InjectionStatus'],
  ['judge/roles/job-template.ts', 'unit/judge/roles.test.ts', 'NotInJobTemplate'],
  ['judge/roles/kill-command.ts', 'unit/judge/roles.test.ts', 'KillCommand'],
  ['judge/roles/kruise.ts', 'unit/judge/roles.test.ts', 'KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT'],
  ['judge/roles/kubexit.ts', 'unit/judge/roles.test.ts', 'kubexit'],
  ['judge/roles/linkerd.ts', 'unit/judge/roles.test.ts', 'linkerd-proxy'],
  ['judge/roles/own-lists.ts', 'unit/judge/roles.test.ts', 'sidecar-sweeper.dev/main'],
  ['judge/roles/peer-lists.ts', 'unit/judge/roles.test.ts', 'k8s-controller-sidecars'],
  ['judge/roles/platforms.ts', 'unit/judge/roles.test.ts', 'Platform'],
  ['judge/roles/rules.ts', 'unit/judge/roles.test.ts', "'Rule'"],
  ['judge/roles/swapped-image.ts', 'unit/judge/roles.test.ts', 'SwappedImage'],
  ['judge/shard.ts', 'unit/judge/shard.property.test.ts', 'takeShard'],
  ['kube/cluster.ts', 'integration/sweep/lock-kept.test.ts', 'openCluster'],
  ['kube/credentials/credential-files.ts', 'integration/connection/rotation.test.ts', 'token'],
  ['kube/credentials/credentials.ts', 'integration/connection/rotation.test.ts', 'certificate'],
  ['kube/credentials/identity-provider.ts', 'integration/connection/identity-provider.test.ts', 'token'],
  ['kube/credentials/issuers.ts', 'integration/connection/rotation.test.ts', 'plugin'],
  ['kube/credentials/source.ts', 'integration/connection/rotation.test.ts', 'path'],
  ['kube/http/answer.ts', 'unit/kube/read-object.test.ts', 'Answer'],
  ['kube/http/through-proxy.ts', 'integration/connection/kubectl.test.ts', 'proxy'],
  ['kube/kubeconfig/in-cluster.ts', 'unit/kube/kubeconfig/config.test.ts', '--kubeconfig'],
  ['kube/kubeconfig/kubeconfig-section.ts', 'unit/kube/kubeconfig/config.test.ts', 'folder'],
  ['kube/kubeconfig/kubeconfig.ts', 'unit/kube/kubeconfig/config.test.ts', 'contexts'],
  ['kube/kubeconfig/read-connection.ts', 'integration/connection/kubectl.test.ts', 'context'],
  ['kube/kubeconfig/read-user.ts', 'integration/connection/kubectl.test.ts', 'env'],
  ['kube/pods/allowed.ts', 'unit/kube/pods/narrow.test.ts', 'name'],
  ['kube/pods/json-items.ts', 'unit/kube/pods/list-body.test.ts', 'TooLarge'],
  ['kube/pods/narrow-container.ts', 'unit/kube/pods/narrow.test.ts', 'restartRules'],
  ['kube/pods/own-fields.ts', 'unit/kube/pods/narrow.test.ts', '__proto__'],
  ['kube/pods/owner.ts', 'unit/kube/read-template.test.ts', 'ownerReferences'],
  ['kube/pods/protobuf/pod-message.ts', 'unit/kube/pods/protobuf/pod-message.property.test.ts', 'narrowPod'],
  ['kube/pods/protobuf/reader.ts', 'unit/kube/pods/protobuf/message.test.ts', 'RangeError'],
  ['library/apply-sweep.ts', 'integration/library/library.test.ts', 'applySweep'],
  ['library/cluster.ts', 'integration/library/library.test.ts', 'requestTimeout'],
  ['library/listener.ts', 'integration/library/library.test.ts', 'StepSent'],
  ['library/method.ts', 'integration/library/library.test.ts', 'defineMethod'],
  ['library/parse.ts', 'integration/library/library.test.ts', 'the policy'],
  ['library/plan-sweep.ts', 'integration/library/library.test.ts', 'planSweep'],
  ['library/planned.ts', 'integration/library/library.test.ts', 'made by version'],
  ['library/profile.ts', 'integration/library/library.test.ts', 'defineProfile'],
  ['lock/lock.ts', 'integration/sweep/lock-kept.test.ts', 'takeLock'],
  ['pod/before-swap.ts', 'unit/judge/roles.test.ts', 'ranImage'],
  ['pod/kubexit.ts', 'unit/judge/roles.test.ts', 'KUBEXIT_DEATH_DEPS'],
  ['pod/no-status.ts', 'unit/judge/checks.test.ts', 'no status'],
  ['policy/catalogue/app-mesh.ts', 'unit/policy/catalogue.test.ts', 'appmesh'],
  ['policy/catalogue/cloud-sql-and-alloydb.ts', 'unit/policy/catalogue.test.ts', 'cloud-sql-proxy-v1'],
  ['policy/catalogue/consul-dataplane.ts', 'unit/policy/catalogue.test.ts', 'consul-dataplane'],
  ['policy/catalogue/dapr.ts', 'unit/policy/catalogue.test.ts', 'daprd'],
  ['policy/catalogue/datadog-agent.ts', 'unit/policy/catalogue.test.ts', 'datadog-agent'],
  ['policy/catalogue/envoy.ts', 'unit/policy/catalogue.test.ts', 'envoyproxy'],
  ['policy/catalogue/fluent-bit.ts', 'unit/policy/catalogue.test.ts', 'fluent-bit'],
  ['policy/catalogue/gcsfuse.ts', 'unit/policy/catalogue.test.ts', 'gke-gcsfuse-sidecar'],
  ['policy/catalogue/haproxy.ts', 'unit/policy/catalogue-steps.test.ts', 'haproxy'],
  ['policy/catalogue/istio.ts', 'unit/policy/catalogue.test.ts', 'istio-proxy'],
  ['policy/catalogue/kubexit.ts', 'unit/policy/catalogue.test.ts', 'KUBEXIT_DEATH_DEPS'],
  ['policy/catalogue/kuma.ts', 'unit/policy/catalogue.test.ts', 'kuma-sidecar'],
  ['policy/catalogue/linkerd.ts', 'unit/policy/catalogue.test.ts', 'linkerd-proxy'],
  ['policy/catalogue/nginx.ts', 'unit/policy/catalogue-steps.test.ts', 'nginx'],
  ['policy/catalogue/opentelemetry-collector.ts', 'unit/policy/catalogue.test.ts', 'otc-container'],
  ['policy/catalogue/pgbouncer.ts', 'unit/policy/catalogue.test.ts', 'pgbouncer'],
  ['policy/catalogue/stunnel.ts', 'unit/policy/catalogue-steps.test.ts', 'stunnel'],
  ['policy/catalogue/vault-and-openbao.ts', 'unit/policy/catalogue.test.ts', 'openbao-agent'],
  ['policy/catalogue/vks.ts', 'unit/policy/catalogue.test.ts', 'vks-sidecar'],
  ['policy/last-resorts.ts', 'unit/policy/policy.test.ts', 'lastResortNames'],
  ['policy/problems.ts', 'integration/cli/policy-files.test.ts', 'unknown field'],
  ['policy/profile.ts', 'unit/policy/file.test.ts', 'profile'],
  ['policy/read-steps.ts', 'unit/plan/owners-steps.test.ts', 'not a list of steps'],
  ['report/access/markdown.ts', 'unit/report/markdown.test.ts', 'accessMarkdown'],
  ['report/advise/advice.ts', 'unit/report/advise/text.test.ts', 'AdviceFold'],
  ['report/advise/markdown.ts', 'unit/report/markdown.test.ts', 'adviceMarkdown'],
  ['report/api-version.ts', 'unit/report/schema.test.ts', 'apiVersion'],
  ['report/explain/answer.ts', 'unit/report/explain/text.test.ts', 'has been stuck for'],
  ['report/explain/explanation.ts', 'integration/judge/explain.test.ts', 'PodExplanation'],
  ['report/explain/markdown.ts', 'unit/report/markdown.test.ts', 'explanationMarkdown'],
  ['report/history/cells.ts', 'unit/report/history/text.test.ts', 'CORE-HOURS'],
  ['report/history/left-stuck.ts', 'unit/report/history/text.test.ts', 'Why pods are still stuck'],
  ['report/history/places.ts', 'unit/report/history/text.test.ts', 'By namespace'],
  ['report/history/schema.ts', 'unit/history/history.test.ts', 'period'],
  ['report/history/sections.ts', 'unit/report/history/text.test.ts', 'What keeps coming back'],
  ['report/history/summary.ts', 'unit/report/history/text.test.ts', 'Harm by sweeps'],
  ['report/html/page.tsx', 'unit/report/html/render.test.ts', 'pods'],
  ['report/html/parts/counted.tsx', 'unit/report/html/render.test.ts', 'means'],
  ['report/html/parts/glossary.tsx', 'unit/report/html/render.test.ts', 'means'],
  ['report/html/parts/hanging.tsx', 'unit/report/html/render.test.ts', 'hanging-table'],
  ['report/html/parts/lanes.tsx', 'integration/html/chromium.test.ts', 'lanes'],
  ['report/html/parts/left-alone.tsx', 'unit/report/html/render.test.ts', 'Excluded'],
  ['report/html/parts/listed.tsx', 'integration/html/chromium.test.ts', 'details'],
  ['report/html/parts/name.tsx', 'integration/html/chromium.test.ts', 'name'],
  ['report/html/parts/pods.tsx', 'unit/report/html/render.test.ts', 'pods-table'],
  ['report/html/parts/prose.tsx', 'unit/report/html/render.test.ts', 'flag'],
  ['report/html/parts/spent.tsx', 'unit/report/html/render.test.ts', 'no requests'],
  ['report/html/parts/stuck.tsx', 'integration/html/chromium.test.ts', 'stuck'],
  ['report/html/parts/summary.tsx', 'unit/report/html/render.test.ts', 'No pod was stuck'],
  ['report/html/parts/sweeps.tsx', 'unit/report/html/render.test.ts', 'StillRunning'],
  ['report/html/parts/trend.tsx', 'unit/report/html/render.test.ts', 'svg'],
  ['report/html/parts/where.tsx', 'unit/report/html/render.test.ts', 'advise'],
  ['report/html/parts/word.tsx', 'unit/report/html/render.test.ts', 'href'],
  ['report/html/script.ts', 'integration/html/chromium.test.ts', 'input'],
  ['report/html/style.ts', 'integration/html/chromium.test.ts', 'paper'],
  ['report/html/table.tsx', 'integration/html/chromium.test.ts', 'On paper'],
  ['report/html/word.ts', 'unit/report/html/glossary.test.ts', 'wordOf'],
  ['report/json-schema.ts', 'unit/report/schema.test.ts', 'jsonSchemas'],
  ['report/look-fold.ts', 'unit/report/sweep/fold.test.ts', 'excludedBecause'],
  ['report/plan.ts', 'unit/report/sweep/fold.test.ts', 'owner'],
  ['report/profiles/markdown.ts', 'unit/report/markdown.test.ts', 'profilesMarkdown'],
  ['report/records/cuts.ts', 'unit/report/records/line.test.ts', 'attempts'],
  ['report/records/fields.ts', 'unit/report/records/write.test.ts', 'k8s.pod.name'],
  ['report/records/kinds.ts', 'unit/report/records/write.test.ts', 'Summary'],
  ['report/records/lines.ts', 'unit/report/records/read.test.ts', 'stream'],
  ['report/records/rebuild.ts', 'unit/report/records/read.test.ts', 'unfinished'],
  ['report/records/record.ts', 'unit/report/records/read.test.ts', 'entry'],
  ['report/records/unprefix.ts', 'unit/report/records/read.test.ts', 'stdout'],
  ['report/scan/markdown.ts', 'unit/report/markdown.test.ts', 'scanMarkdown'],
  ['report/scan/scan.ts', 'integration/judge/explain.test.ts', 'candidates'],
  ['report/scan/schema.ts', 'integration/cli/schemas.test.ts', 'scan'],
  ['report/sweep/attempt.ts', 'unit/report/sweep/fold.test.ts', 'durationMs'],
  ['report/sweep/markdown.ts', 'unit/report/markdown.test.ts', 'sweepMarkdown'],
  ['report/sweep/outcome-counts.ts', 'unit/report/sweep/fold.test.ts', 'harm'],
  ['report/sweep/raises.ts', 'unit/report/sweep/fold.test.ts', 'backoffLimit'],
  ['report/texts/outcomes.ts', 'unit/report/texts.test.ts', 'describeContainer'],
  ['report/texts/reasons.ts', 'unit/report/texts.test.ts', 'describeExclusion'],
  ['report/texts/warnings.ts', 'unit/report/texts.test.ts', 'describeWarning'],
  ['scan.ts', 'integration/judge/explain.test.ts', 'scan'],
  ['sweep.ts', 'integration/sweep/requests-in-flight.test.ts', 'sweep'],
  ['usage-error.ts', 'unit/policy/policy.test.ts', 'UsageError'],
  ['version.ts', 'unit/cli/program.test.ts', 'dev'],
  ['vocabulary/attempt-result.ts', 'unit/apply/attempts.test.ts', 'NoSuchProgram'],
  ['vocabulary/container-outcome.ts', 'unit/apply/conclude.test.ts', 'LastResortDue'],
  ['vocabulary/evidence.ts', 'unit/judge/roles.test.ts', 'Platform'],
  ['vocabulary/exclusion.ts', 'unit/judge/checks.test.ts', 'MainWillRestart'],
  ['vocabulary/hang.ts', 'unit/judge/hanging.test.ts', 'ProxyEndedFirst'],
  ['vocabulary/harm.ts', 'unit/report/sweep/harm-event.test.ts', 'PodFailed'],
  ['vocabulary/held-reason.ts', 'unit/apply/guard/guard.test.ts', 'NobodyGoesFirst'],
  ['vocabulary/job-reaction.ts', 'unit/apply/wait/job-reaction.test.ts', 'IndexFailed'],
  ['vocabulary/kept-log.ts', 'unit/apply/keep-logs.test.ts', 'lines:'],
  ['vocabulary/not-attempted-reason.ts', 'unit/plan/caps.test.ts', 'OverMaxPodsPerNode'],
  ['vocabulary/pod-outcome.ts', 'unit/report/sweep/pod-event.test.ts', 'Unsettled'],
  ['vocabulary/prediction.ts', 'unit/plan/prediction.test.ts', 'RunsAgain'],
  ['vocabulary/remark.ts', 'unit/judge/remarks.test.ts', 'NamedAsBoth'],
  ['vocabulary/skip-reason.ts', 'unit/plan/owners-steps.test.ts', 'CommandNotAllowed'],
  ['vocabulary/step-source.ts', 'unit/plan/plan.test.ts', 'LastResort'],
  ['vocabulary/unclean-exit.ts', 'unit/plan/clearance.test.ts', 'AnotherRun'],
  ['vocabulary/unfit.ts', 'unit/plan/plan.test.ts', 'NotAdmitted'],
  ['vocabulary/warning.ts', 'unit/report/texts.test.ts', 'JobHarmed'],
];

const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort();

function hasOwnTest(file: string): boolean {
  return existsSync(new URL(`test/unit/${file.replace(/\.tsx?$/, '.test.ts')}`, root));
}

/** Whether nothing is left of a file once its types are gone. */
function hasTypesOnly(file: string): boolean {
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
  return (
    transformSync(read(`src/${file}`), {
      loader: file.endsWith('x') ? 'tsx' : 'ts',
      tsconfigRaw,
    }).code.trim() === ''
  );
}

it('every file of src has its test where its path says, or is listed with where it is tested', () => {
  expect(files.length).toBeGreaterThan(100);
  const listed = elsewhere.map(([file]) => file);
  const missing = files.filter((file) => !hasOwnTest(file) && !listed.includes(file) && !hasTypesOnly(file));
  expect(missing.map((file) => `test/unit/${file.replace(/\.tsx?$/, '.test.ts')}`)).toEqual([]);
});

it('a file of types alone is told from one with code', () => {
  expect(hasTypesOnly('ports.ts')).toBe(true);
  expect(['vocabulary/warning.ts', 'index.ts', 'cli/main.ts', 'defaults.ts'].filter(hasTypesOnly)).toEqual(
    [],
  );
});

describe('the list', () => {
  it('is in order, and names each file once', () => {
    const listed = elsewhere.map(([file]) => file);
    expect(listed).toEqual([...new Set(listed)].sort());
  });

  it.each(elsewhere)('needs %s', (file) => {
    expect(files).toContain(file);
    expect(hasOwnTest(file)).toBe(false);
    expect(hasTypesOnly(file)).toBe(false);
  });

  it.each(elsewhere)('has %s tested in %s: %s', (file, test, word) => {
    expect([`src/${file}`, `test/${test}`].filter((each) => !read(each).includes(word))).toEqual([]);
  });
});
