import type { BlockedReason, StillRunningBecause } from '../../model/outcome.ts';
import type { Unfit } from '../../model/step.ts';
import type { Exclusion, Hang } from '../../model/verdict.ts';

/** What a reason means, and what to do about it: `explain --reason` prints it, and docs/reasons.md is written from it. */
interface ReasonPage {
  readonly title: string;
  readonly text: string;
  /** Missing if there is nothing to do. */
  readonly cure?: string;
}

type Pages<Kind extends string> = Readonly<Record<Kind, ReasonPage>>;

const leftAlone: Pages<Exclusion['kind']> = {
  OwnPod: {
    title: 'the sweeper itself runs in this pod',
    text: 'The sweeper knows its own pod by POD_NAMESPACE and POD_NAME, which the manifests set.',
    cure: 'If its own pod gets stuck on an injected sidecar, switch injection off for it, as the manifests do.',
  },
  SystemNamespace: {
    title: 'a namespace of Kubernetes itself',
    text: 'The pod is in kube-system, kube-public or kube-node-lease. A sweep of all namespaces leaves them out.',
    cure: 'To sweep one of them, name it: sidecar-sweeper sweep -n kube-system.',
  },
  NamespaceNotSelected: {
    title: 'the sweep leaves this namespace out',
    text: 'excludeNamespaces names the namespace, or it lacks the labels that namespaceSelector asks for. If namespaces cannot be listed, a selector selects none: no pod is examined, and the exit code is 3.',
    cure: 'To sweep it, change the flags, the policy or the labels. `kubectl get namespaces -l <selector>` lists the namespaces that a selector selects.',
  },
  NamespaceOptedOut: {
    title: 'the owner of the namespace wants its pods left alone',
    text: 'The namespace has the annotation sidecar-sweeper.dev/skip. Any value except false, 0 or f counts. No flag overrides it, and a pod cannot opt back in.',
    cure: 'To sweep it, remove the annotation: kubectl annotate namespace <namespace> sidecar-sweeper.dev/skip-.',
  },
  NamespaceUnreadable: {
    title: 'the namespace cannot be read',
    text: 'The pod is stuck, but its namespace could not be read, so it is unknown whether its owner has opted out. The pod is left alone, and the exit code is 3.',
    cure: 'Grant get on namespaces, in a ClusterRole or in a Role of the namespace; check-access prints the rule. If the request failed for another reason, the next sweep tries again.',
  },
  OptedOut: {
    title: 'the owner wants the pod left alone',
    text: 'The pod has the annotation sidecar-sweeper.dev/skip. Any value except false, 0 or f counts, so a typo never gets a pod swept.',
    cure: 'To sweep it, remove the annotation: kubectl annotate pod <pod> sidecar-sweeper.dev/skip-. For later pods, remove it from the template.',
  },
  UnreadableAnnotation: {
    title: 'an annotation cannot be read',
    text: 'sidecar-sweeper.dev/min-age, which decides when the pod may be swept, is not a duration.',
    cure: 'Write a duration such as 90s, 5m or 1h30m.',
  },
  OverBound: {
    title: 'the pod has more of something than the sweeper reads',
    text: 'The sweeper reads up to 256 regular containers of a pod, 1,024 characters of an image, 256 names in a list of an annotation or variable, and 128 KiB of texts in all, of which an annotation, variable or argument counts with 8 KiB at most. A sidecar whose annotation asks for more than 64 steps is skipped, and so are all sidecars of a pod that needs more than 512. Other pods are swept as usual.',
    cure: 'No known tool writes lists this long. Find out who wrote the pod, and shorten the list.',
  },
  NothingEnded: {
    title: 'no container of the pod has ended',
    text: 'The pod is at work. To save time, a sweep reads nothing else of such a pod.',
  },
  StaticPod: {
    title: 'only its kubelet manages the pod',
    text: 'The pod comes from a file on its node. The API server shows a mirror of it (annotation kubernetes.io/config.mirror), and changing that has no effect.',
    cure: "End it on the node: remove the file from the kubelet's folder of manifests.",
  },
  Windows: {
    title: 'the pod runs on Windows',
    text: 'Windows has no POSIX signals, and no shell that the sweeper can rely on.',
    cure: 'Make the sidecar end by itself when the work is done, or make it a native sidecar.',
  },
  NodeNotReady: {
    title: 'the node is not ready',
    text: "The kubelet does not respond, so no request reaches the containers, and the pod's status is out of date. The reason is that of the node's Ready condition; NodeGone means that the Node object no longer exists, NodeLost that Kubernetes has given up on it. The conditions of the pod do not show this, so the sweeper reads the nodes, which needs get on nodes. Without it, the report has a warning and such pods count as stuck.",
    cure: 'Repair or delete the node. Five minutes after a node stops responding, Kubernetes deletes most of its pods.',
  },
  BeingDeleted: {
    title: 'the pod is being deleted',
    text: 'The pod has a deletionTimestamp, so the kubelet is ending its containers.',
    cure: 'If the pod still exists long after its grace period, check its finalizers and its node.',
  },
  NotRunning: {
    title: 'the pod is not in phase Running',
    text: 'Succeeded and Failed pods have ended. A Pending pod waits for a node, an image, a volume or an init container; if its mains have ended, --include-pending reports it as NeverStarted. Unknown means that the node does not respond.',
    cure: 'kubectl describe pod <pod> shows what a pending pod waits for.',
  },
  RestartsOthers: {
    title: 'a restart rule would restart other containers',
    text: 'When this container ends, one of its restartPolicyRules, such as RestartAllContainers, restarts others. Ending a sidecar could restart the finished main.',
    cure: 'Remove the rule from the sidecar.',
  },
  NoSidecar: {
    title: 'the pod has no known sidecar',
    text: 'Nothing marks any container as a sidecar, and an unmarked container counts as a main.',
    cure: "Name the sidecar in the annotation sidecar-sweeper.dev/sidecars, or add a rule to the policy. If it was injected, grant get on jobs, which shows that the Job's template lacks it. `explain <namespace>/<pod>` shows the evidence for each container.",
  },
  NoRunningSidecar: {
    title: 'no sidecar is running',
    text: 'The sidecars have ended or wait to start, so there is nothing to end.',
    cure: 'If all containers have ended, the pod ends within seconds. If a sidecar waits or keeps crashing, kubectl describe pod <pod> shows why.',
  },
  NoMain: {
    title: 'all containers are sidecars',
    text: 'Every container counts as a sidecar, so nothing shows when the work is done.',
    cure: 'explain <namespace>/<pod> shows why each counts as a sidecar. Name the main in sidecar-sweeper.dev/main.',
  },
  MainRunning: {
    title: 'a main container is running',
    text: 'The work is not done. A container that nothing marks as a sidecar counts as a main. airflow-xcom-sidecar counts as a main too, because it keeps the result of its task until Airflow has read it. So does the collector of Katib, which reports the metrics of its trial once all other processes of the pod have ended: beside the proxy of a mesh, even a native one, neither ends.',
    cure: 'If it is a sidecar, name it in the annotation sidecar-sweeper.dev/sidecars, or add a rule to the policy. If it was injected, grant get on jobs. If the annotation is there, check its names; `explain` lists those that the pod does not have. For Katib, set waitAllProcesses: false in katib-config, so that its collector waits for the training alone, or keep the mesh out of the pod.',
  },
  MainWaiting: {
    title: 'a main container is waiting to start',
    text: 'The container has not started, or is between two runs (CrashLoopBackOff), so its work is not done. "has no status" means that the kubelet has not reported on it: the pod waits for a node, or was evicted or rejected.',
    cure: 'kubectl describe pod <pod> shows why it is waiting.',
  },
  MainWillRestart: {
    title: 'a main container has ended and will be restarted',
    text: 'The kubelet will restart it: the restartPolicy is Always, or OnFailure and the exit code is not 0, or the container has a restart rule of its own.',
    cure: 'If it keeps failing, the Job gives up at its backoffLimit.',
  },
  TooYoung: {
    title: 'the last main ended too recently',
    text: "By the API server's clock, it ended less than --min-age ago (5 minutes by default), or less than the pod's annotation sidecar-sweeper.dev/min-age asks for. Most sidecars that end by themselves do so within that time.",
    cure: 'Wait for the next sweep, or choose a shorter time.',
  },
  AgeUnknown: {
    title: 'it is unknown when the last main ended',
    text: "finishedAt of the main is missing, is not a time, or is in the future because the node's clock is ahead; or the API server sent no time.",
    cure: 'Check the clock of the node. If the kubelet lost track of a container (ContainerStatusUnknown), delete the pod.',
  },
};

const hanging: Pages<Hang['kind']> = {
  RestartPolicyDropped: {
    title: 'a native sidecar has lost its restartPolicy and blocks the pod',
    text: 'The pod is Pending. An ordinary init container runs on, and all other containers wait for it to end. It was meant to be a native sidecar: it is one in the template of its Job, or it is the known sidecar of an injector that makes native ones. Webhooks and clients built before Kubernetes 1.28 drop the field if they write back the whole pod (aws/aws-app-mesh-controller-for-k8s#774, kube-arangodb#1677). Found with --include-pending. Nothing is sent: if the container ended, the main would start without it.',
    cure: 'Find the webhook that changed the pod (kubectl get mutatingwebhookconfigurations) and upgrade it, or keep it away from these pods. Then delete the pod; its Job creates another one.',
  },
  StartupProbeStopped: {
    title: 'the kubelet no longer runs the startup probe of a native sidecar',
    text: 'The pod is Pending: the sidecar runs but never counts as started, so the mains never start. It ended once before its probe had passed. Under restartPolicy: Never, the kubelet then stops probing it (kubernetes/kubernetes#132826, fixed in later releases of 1.33 and 1.34). Found with --include-pending. Nothing is sent, because the pod still needs this sidecar.',
    cure: 'Delete the pod; its Job creates another one. Upgrade the kubelet, or let the sidecar wait for what it needs instead of exiting.',
  },
  MainNotRestarted: {
    title: 'the kubelet does not restart a main',
    text: 'A main has ended and has been due to be restarted for ten minutes, although its node is ready. A kubelet of 1.35 that restarts forgets that a native sidecar has passed its startup probe, and restarts nothing (kubernetes/kubernetes#136910). The check needs get on nodes.',
    cure: 'Delete the pod. Its Job creates another one, which counts as a failure against backoffLimit. Upgrade the kubelet.',
  },
  NativeSidecarRunsOn: {
    title: 'a native sidecar is still running after the mains',
    text: "All regular containers have ended, but a native sidecar still runs. The kubelet sent it TERM, and kills it when the pod's terminationGracePeriodSeconds are over (buildkite/agent-stack-k8s#862). The check needs get on nodes. Nothing is sent, because the kubelet ends it.",
    cure: 'Make the sidecar end on TERM: handle the signal, or start the program with exec so that it gets the signal instead of a shell. Or lower terminationGracePeriodSeconds in the template. If the grace period is long over, check the kubelet of the node and delete the pod.',
  },
  ProxyEndedFirst: {
    title: "a main's proxy ended before the main",
    text: 'The mesh proxy or database proxy exited with 0, so the kubelet does not restart it, and the mains run without network or database. Many programs then wait forever (istio/istio#45627). Nothing is sent: only the owner knows whether the main still works.',
    cure: 'Look at the log of the main: kubectl logs <pod> -c <main>. If it waits for the network, delete the pod; its Job creates another one. Then find out what ended the proxy. A native sidecar ends after the main; `advise` says how to make it one.',
  },
};

const noSidecarToEnd: Pages<'NeverStarted' | 'NotStartedAgain' | 'Undecided'> = {
  NeverStarted: {
    title: 'stuck on a sidecar that never started',
    text: 'The mains have ended, and one sidecar has never started, often because its image cannot be pulled. There is no process to end. Found with --include-pending.',
    cure: 'Fix the image or the credentials that kubectl describe pod <pod> shows. Otherwise delete the pod; its Job then runs the work again.',
  },
  NotStartedAgain: {
    title: 'stuck on a sidecar that ended and cannot start again',
    text: 'The mains and the sidecar have ended, and the kubelet cannot start the sidecar again. Under restartPolicy OnFailure, an image swap for an image that cannot be pulled leaves a pod like this; under Never, the pod ends as its old sidecar did. The sweep exits with 4.',
    cure: 'Add the missing image, pull secret or ConfigMap that kubectl describe pod <pod> shows; the kubelet tries again by itself. Or give the container an image that can be pulled and exits with 0: kubectl set image pod/<pod> <sidecar>=<no-op image>. Before the next sweep, correct the no-op image.',
  },
  Undecided: {
    title: "the pod's own data is inconsistent",
    text: 'The container statuses do not match the spec: one is missing, appears twice, or has an unknown name. A problem that begins with "internal error" is a defect of the sweeper.',
    cure: 'Look again a moment later: right after a pod is created, this can be normal. Please report an internal error, with the output of --log-level=debug.',
  },
};

const blocked: Pages<'Blocked' | BlockedReason> = {
  Blocked: {
    title: 'not ended, because finished work could run again or fail',
    text: 'If a sidecar exits with a code other than 0, its pod fails, and the Job runs the finished work again or fails. With --unclean-exit=forbid, the default, a step is sent only if it is known to end the sidecar with 0, or if an unclean end costs nothing. The report names the reason.',
    cure: 'Allow image swaps (--noop-image), which end the container with 0. Or name a step that ends the sidecar with 0 in a profile of the policy. If you know that the sidecar ends with 0, and its profile does not say otherwise, annotate the template: sidecar-sweeper.dev/exits-with-zero: <container>. To find out, sweep one pod: sidecar-sweeper sweep <namespace>/<pod> --unclean-exit=allow. Use allow for all pods only if the work may run twice.',
  },
  KnownUnclean: {
    title: 'it is known to exit with a code other than 0',
    text: 'The profile of the sidecar says so, or the signal that is left ends it with 137 or 143.',
    cure: 'As for Blocked: allow image swaps, or name a step that ends it with 0.',
  },
  UnknownEnd: {
    title: 'its exit code is unknown',
    text: 'No profile, policy or annotation says how this sidecar ends.',
    cure: 'As for Blocked: allow image swaps, name a step that ends it with 0, or say that it ends with 0.',
  },
  AlreadyUnclean: {
    title: 'another sidecar has failed the pod',
    text: 'A sidecar of this pod has exited with a code other than 0. When the last container ends, the pod fails and the work runs again or fails.',
    cure: 'See why the other sidecar failed. Only --unclean-exit=allow ends the pod.',
  },
  EndedUncleanBefore: {
    title: 'it exited with another code before',
    text: 'A step is said to end it with 0, but it exited with another code earlier, in this pod or another one of the Job.',
    cure: 'Correct the profile or the annotation that says 0, or allow image swaps.',
  },
  PromiseBroken: {
    title: 'sidecars of this namespace and image did not end with 0 as promised',
    text: 'A profile or an annotation says that the step ends the sidecar with 0. It did not, so no other pod of the namespace with this image gets the step. The Lease sidecar-sweeper-learnt keeps this for 30 days.',
    cure: 'Correct the profile or the annotation, or allow image swaps. To try again, delete the Lease.',
  },
  NoRoomInJob: {
    title: 'the Job would fail at its backoffLimit',
    text: 'Under restartPolicy: OnFailure, a Job counts every restart of its containers, an image swap included, and fails at its backoffLimit.',
    cure: 'Sweep again when other pods of the Job have ended, or raise its backoffLimit; raiseBackoffLimit of the policy does so for swaps.',
  },
  NoopDoesNotStart: {
    title: 'the no-op image did not start in another pod',
    text: 'The first swapped container of this namespace could not start the no-op image. The Lease sidecar-sweeper-learnt keeps this for a day.',
    cure: 'The events of that pod show what is missing: the image, a pull secret, an architecture, or the program. To try again sooner, delete the Lease. A failed pod of the same Job whose image was swapped counts for as long as it exists, whichever the image was: delete it, too.',
  },
  NoopUnknown: {
    title: 'it is unknown whether the no-op image has the program',
    text: 'The command of the container names a program, which the swapped container starts from the no-op image.',
    cure: "Use this project's no-op image, or list the programs of yours under imageSwap.commands of the policy.",
  },
};

const stillRunning: Pages<
  Exclude<StillRunningBecause['kind'], 'Blocked'> | 'NotStarted' | 'Unproven' | 'Braked' | 'Harm'
> = {
  Outlived: {
    title: 'every step arrived, and none ended it',
    text: 'The sidecar is still running after the time of each step.',
    cure: 'Give it more grace in a profile, allow image swaps, or choose a --last-resort.',
  },
  UnderWay: {
    title: 'a step was sent that may still work',
    text: 'maxGrace of the policy was over before the time of the step was.',
    cure: 'Wait: the next sweep goes on from there and does not send the step again.',
  },
  SwapUnderWay: {
    title: 'the kubelet has not replaced the container yet',
    text: 'Its preStop hook, its grace period or the pull takes longer than the sweep waited.',
    cure: 'Wait. If it takes longer than these, look at the node.',
  },
  NoSuchProgram: {
    title: 'the image lacks the program, often a shell',
    text: 'A command or a signal needs a program in the image of the sidecar.',
    cure: 'Write a profile with an HTTP endpoint, or allow image swaps; both need no program.',
  },
  Unsupported: {
    title: 'the step does not work there',
    text: 'The endpoint is off, a file cannot be written, or something between you and the kubelet does not pass on WebSockets.',
    cure: 'Switch the endpoint on (`profiles <name>` says how), allow WebSockets on the way, or allow image swaps.',
  },
  Immune: {
    title: 'no signal affects its process',
    text: 'Process 1 of a container gets no signal from inside it that it has no handler for, and never KILL, although kill exits with 0. So none was sent. Trying again does not help.',
    cure: "Allow image swaps, which end the container from outside. Or add a handler that exits with 0, such as trap 'exit 0' TERM. Or name an endpoint or a command in a profile.",
  },
  Undelivered: {
    title: 'no request reached it',
    text: 'Each try was lost on its way or refused for the moment, and nothing harsher followed.',
    cure: 'Sweep again. If it is still not reached, look at its node and at the API server.',
  },
  CarriesOthers: {
    title: 'another sidecar that may talk through it is still running',
    text: 'A mesh proxy is ended last.',
    cure: 'Find out why the other sidecar has not ended.',
  },
  LastResortDue: {
    title: 'only a last resort can end it',
    text: 'A last resort waits until the other sidecars of the pod have outlived their steps.',
    cure: 'Find out why the other sidecars have not ended.',
  },
  Refused: {
    title: 'a permission is missing',
    text: 'Since Kubernetes 1.35, exec and port-forward need create as well as get on pods/exec and pods/portforward, and the message of the API server does not say so.',
    cure: 'check-access prints the missing rules.',
  },
  NotStarted: {
    title: 'the swapped container does not start',
    text: 'The sidecar ended, but the kubelet cannot start the no-op image, which it tries again under restartPolicy OnFailure. Later sweeps report NotStartedAgain.',
    cure: 'As for NotStartedAgain.',
  },
  Unproven: {
    title: 'it is unknown whether it ended',
    text: 'The pod could not be read afterwards, or its status contradicts an answer.',
    cure: 'Sweep again: the next sweep reads the pod first.',
  },
  Braked: {
    title: 'nothing was sent, because the plan was for too many pods',
    text: 'A rule that is too broad can turn a main into a sidecar in every pod, so a sweep of more pods than brakePods or brakeShare of the policy sends nothing. The warning names the rule that matches in most of the pods.',
    cure: 'Look at the plan with --dry-run. If it is right, sweep in portions with --max-pods, or raise the limit in the policy. If not, correct the rule.',
  },
  Harm: {
    title: 'finished work runs again or has failed because of a sweep',
    text: 'The mains had exited with 0, and a step of a sweep ended a sidecar with another code. RunsAgain: the Job runs the work again. IndexFailed, JobFailed: the index or the Job has failed for good. PodFailed: no Job owns the pod, and its platform or owner may count the work as failed. The exit code is 7, unless --unclean-exit=allow or the owner of the pod permitted it.',
    cure: 'A profile promises an exit code that the sidecar does not keep: correct it. Sidecars of its image are blocked until then (PromiseBroken). After an image swap, the no-op image could not be started: see NoopDoesNotStart.',
  },
};

const leftOut: Pages<Exclude<Unfit['reason'], 'OverBound'>> = {
  NotShown: {
    title: 'nothing in the pod shows that the sidecar supports the step',
    text: 'The step needs an argument, a variable or an annotation that the pod does not have.',
    cure: '`profiles <name>` says which.',
  },
  ShownOtherwise: {
    title: 'the pod shows that the sidecar does not support the step',
    text: 'An argument, a variable or an annotation switches the endpoint off.',
    cure: '`profiles <name>` says which.',
  },
  Off: { title: 'annotationCommands is off', text: 'The policy runs no command of an annotation.' },
  NotAllowed: {
    title: 'the policy does not allow the step',
    text: 'The annotation asks for a step that is not on the allowlist.',
    cure: 'Add the command to allowedCommands of the policy, or the step to a profile.',
  },
  NoPermission: {
    title: 'the account lacks the permission',
    text: 'The step is left out of the plan, and a warning names the permission. A dry run shows the step all the same.',
    cure: 'check-access prints the missing rules.',
  },
  SeesTheNode: {
    title: 'the container shares the processes or the network of the node',
    text: 'A signal or a request could reach another process of the node, so none is sent.',
  },
  NoPath: {
    title: 'the program or the path is not usable',
    text: 'The program is in a volume and would keep running after a swap, or the path names an unset variable.',
    cure: 'Name another step in a profile.',
  },
  RestartsAlways: {
    title: 'the kubelet restarts the container however it ends',
    text: 'A regular container with restartPolicy: Always of its own comes back after every step.',
    cure: 'End the pod with --last-resort, or the Job by hand. Move the container to initContainers.',
  },
  WouldFailJob: {
    title: 'the Job would count the swap as a restart, and fail',
    text: 'Its backoffLimit is used up.',
    cure: 'Raise the backoffLimit; raiseBackoffLimit of the policy does so.',
  },
  NotAdmitted: {
    title: 'the API server would refuse the image swap',
    text: 'Pod Security, an admission policy or a webhook refuses it. The message of the server is in `detail`.',
    cure: 'Allow the no-op image there.',
  },
};

export const reasonGroups = {
  'Why a pod is left alone': leftAlone,
  'Why a pod hangs although no sweep can help': hanging,
  'Stuck, with nothing to end': noSidecarToEnd,
  'Why a step was blocked': blocked,
  'Why a sidecar is still running, and what a sweep has done': stillRunning,
  'Why a step was left out of the plan': leftOut,
} as const satisfies Readonly<Record<string, Pages<string>>>;

type Groups = typeof reasonGroups;
export type ReasonName = { readonly [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

export const reasonPages: ReadonlyMap<string, ReasonPage> = new Map(
  Object.values(reasonGroups).flatMap((group) => Object.entries<ReasonPage>(group)),
);
