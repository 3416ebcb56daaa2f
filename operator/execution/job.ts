/**
 * The Job of an execution: one Pod, three steps, each with no more than it needs (specification §7.1, §7.2).
 *
 * prepare and deliver see the git credentials and run nothing that an agent wrote; agent sees the model's credentials
 * and the sandbox, and could push nothing. Where the project has checks, stage and they come before deliver (check-steps.ts).
 */
import type { SecretVariable } from '../../core/agent/agent-config.ts'
import type { Agent } from '../../core/crd/types.ts'
import {
  agentOutputPath,
  DROPS_PATH,
  EXECUTION_FILES,
  executionPath,
  givenFile,
  INBOX_FOLDER,
  mirrorsPath,
  repositoryPath,
  sandboxOf,
  sandboxPath,
} from '../../core/execution/layout.ts'
import { type RunSpec, RUN_SPEC_VARIABLE } from '../../core/execution/run-spec.ts'
import type { StepName } from '../../core/execution/steps.ts'
import { isWork } from '../../core/execution/state.ts'
import { messageBytes, TERMINATION_MESSAGE_BYTES } from '../../core/execution/termination.ts'
import { API_VERSION, jobName, LABELS, MANAGED_BY } from '../../core/names.ts'
import type { Container, EnvVar, Job, PodSpec, Volume, VolumeMount } from '../../kube/builtin.ts'
import { parseGitUrl } from '../../lib/git-url.ts'
import {
  AUTHORITIES_FILE,
  buildPlacement,
  HARDENED,
  podLabels,
  podSecurity,
  podVariables,
  resourcesOf,
} from './pod-template.ts'
import { buildCheck, checksSeconds, withoutPrograms } from './check-steps.ts'
import { cacheMounts } from './cache-mounts.ts'
import {
  type JobInput,
  type JobSettings,
  agentImage,
  AUTHORITIES,
  authoritiesDir,
  authorityMounts,
  commandOf,
  lastOfEach,
  needsRunnerCopy,
  RUNNER,
  RUNNER_DIR,
  runnerMounts,
  TMP,
  toVariable,
  VOLUME,
} from './job-input.ts'
import { COPY_RUNNER } from './pods.ts'
import { buildServices, serviceVariables } from './services.ts'

const GIT = 'git-credentials'
const REPOSITORY = 'repository'
const AGENT_CREDENTIALS = 'agent-credentials'
const HOST_FILE = 'host-file'
const OWN_GIT = 'own-git'
/** Room for the runner and Node. */
const RUNNER_SIZE_LIMIT = '512Mi'

/** Beyond the agent's own time: prepare, deliver, pulling images; a second guard behind the runner's. */
const DEADLINE_MARGIN_SECONDS = 40 * 60

const KEEP_RUNNING = {
  'kubectl.kubernetes.io/default-container': 'agent',
  'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
  'karpenter.sh/do-not-disrupt': 'true',
} as const

/** The Job with the number that `run` names. Pure: the same input gives the same Job, under the same name. */
export function buildJob(input: JobInput): Job {
  const { labels, execution, agent, run, settings } = input
  const { name, namespace, uid } = execution.metadata
  const owner = { apiVersion: API_VERSION, kind: 'Execution', name, uid: uid ?? '', controller: true }
  const own = { ...labels, [LABELS.managedBy]: MANAGED_BY }
  const { podTemplate } = agent?.spec ?? {}
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(name, run.jobNumber),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...settings.pods.jobLabels, ...own },
      ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
    },
    spec: {
      backoffLimit: 0,
      parallelism: 1,
      completions: 1,
      podReplacementPolicy: 'Failed',
      activeDeadlineSeconds: Math.ceil(run.timeoutSeconds + checksSeconds(run)) + DEADLINE_MARGIN_SECONDS,
      template: {
        metadata: {
          labels: { ...podLabels(settings.pods, agent), ...own },
          annotations: { ...settings.pods.annotations, ...podTemplate?.annotations, ...KEEP_RUNNING },
        },
        spec: buildPodSpec(input),
      },
    },
  }
}

function buildPodSpec(wanted: JobInput): PodSpec {
  const { agent, settings, services = [], checks = [] } = wanted
  const copies = needsRunnerCopy(wanted) ? [buildCopyRunner(settings)] : []
  const steps = agent === undefined ? 1 : checks.length === 0 ? 3 : 4
  const limit = messageBytes(copies.length + steps + services.length + checks.length)
  const isShort = limit < TERMINATION_MESSAGE_BYTES
  const input = isShort ? { ...wanted, run: { ...wanted.run, messageBytes: limit } } : wanted
  return {
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    securityContext: podSecurity(settings),
    ...(agent === undefined
      ? {}
      : {
          initContainers: [
            ...copies,
            buildStep(input, 'prepare'),
            ...buildServices(services),
            buildStep(input, 'agent'),
            ...(checks.length === 0 ? [] : [buildStep(input, 'stage')]),
            ...checks.map((check) => buildCheck(input, check)),
          ],
        }),
    containers: [buildStep(input, 'deliver')],
    volumes: buildVolumes(input),
    ...buildPlacement(settings.pods, agent),
  }
}

function buildStep(input: JobInput, step: Exclude<StepName, 'check'>): Container {
  const { settings, run, agent } = input
  const image = step === 'agent' ? agentImage(input) : settings.image
  const told = tellStep(run, step)
  return {
    name: step,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: [...commandOf(input, image), step],
    env: lastOfEach([
      ...setupEnv(input, step),
      ...podVariables(settings.pods, authoritiesDir(input)),
      { name: RUN_SPEC_VARIABLE, value: toVariable(told) },
      ...(step === 'agent'
        ? [...serviceVariables(input.services ?? []), ...credentialEnv(agent, input.secrets)]
        : ownGitEnv(input)),
    ]),
    volumeMounts: [
      ...stepMounts(input, step),
      ...authorityMounts(input),
      { name: TMP, mountPath: '/tmp', subPath: step },
    ],
    securityContext: { ...HARDENED, readOnlyRootFilesystem: true },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ...resourcesOf(settings.pods, step, agent),
  }
}

/** What concerns checks is for the steps that come after the agent's; of an environment that is there for them alone stage knows. */
function tellStep(run: RunSpec, step: Exclude<StepName, 'check'>): RunSpec {
  const told = isEnvironmentForChecks(run) && step !== 'stage' ? withoutEnvironment(run) : run
  if (step === 'stage' || step === 'deliver') return withoutPrograms(told)
  const { checks: _, protectedPaths: __, ...plain } = told
  return step === 'agent' ? forAgent(plain) : plain
}

/** A Job that only delivers goes on in a clone that has its environment. */
function isEnvironmentForChecks({ deliverOnly, checks }: RunSpec): boolean {
  return deliverOnly && checks !== undefined
}

function withoutEnvironment(run: RunSpec): RunSpec {
  const { environment: _, ...rest } = run
  return rest
}

/** A password that somebody wrote into the URL is for git, as is whom to trust; the agent's step speaks to no remote. */
function forAgent(run: RunSpec): RunSpec {
  const { repositoryUrl, gitCaBundle: _, ...rest } = run
  const schemaVersion = run.given === undefined ? 1 : 2
  return { ...rest, schemaVersion, repositoryUrl: repositoryUrl === '' ? '' : parseGitUrl(repositoryUrl).clean }
}

function buildCopyRunner(settings: JobSettings): Container {
  return {
    name: COPY_RUNNER,
    image: settings.image,
    imagePullPolicy: 'IfNotPresent',
    command: [...settings.runnerCommand, COPY_RUNNER, RUNNER_DIR],
    volumeMounts: [{ name: RUNNER, mountPath: RUNNER_DIR }],
    securityContext: { ...HARDENED, readOnlyRootFilesystem: true },
    ...resourcesOf(settings.pods, COPY_RUNNER, undefined),
  }
}

function ownGitEnv({ ownGit }: JobInput): EnvVar[] {
  return Object.entries(ownGit?.env ?? {}).map(([name, value]) => ({ name, value }))
}

function credentialEnv(agent: Agent | undefined, secrets: readonly SecretVariable[] = []): EnvVar[] {
  const { env = [], secretName } = agent?.spec.credentials ?? {}
  if (secretName === undefined) return []
  return [...env, ...secrets].map(({ name, key }) => ({ name, valueFrom: { secretKeyRef: { name: secretName, key } } }))
}

function setupEnv({ setup }: JobInput, step: StepName): readonly EnvVar[] {
  return step === 'prepare' ? [] : (setup?.secrets ?? [])
}

/** What each step sees of the data volume and of the world; nothing else. */
function stepMounts(input: JobInput, step: Exclude<StepName, 'check'>): VolumeMount[] {
  const { settings, execution, run, gitSecret, localRepository = [] } = input
  const mount = (subPath: string, readOnly = false): VolumeMount => ({
    name: VOLUME,
    mountPath: `${settings.volumeRoot}/${subPath}`,
    subPath,
    ...(readOnly ? { readOnly } : {}),
  })
  const sandbox = sandboxPath(sandboxOf(execution))
  const id = execution.metadata.name
  const mirrors = run.mirror === undefined ? [] : [mount(mirrorsPath(run.mirror), true)]
  const environment = run.environment?.mounted?.folder
  if (step === 'agent') return [mount(sandbox), ...ownCaches(input), ...mirrors, ...agentMounts(input, mount)]
  // It reads what an untrusted program has written, and nobody else may write what it makes of that.
  if (input.setup !== undefined && step === 'deliver')
    return [mount(sandbox, true), mount(executionPath(id)), mount(input.setup.folder)]
  const isWriter = step === 'prepare' && run.checkout?.borrow !== false
  const borrowed = run.mirror !== undefined && isWriter ? [mount(repositoryPath(run.mirror))] : mirrors
  const clone = input.agent === undefined ? mirrors : [mount(sandbox, step !== 'prepare'), ...borrowed]
  const credentials =
    gitSecret === undefined || run.gitCredentialsDir === undefined
      ? []
      : [{ name: GIT, mountPath: run.gitCredentialsDir, readOnly: true }]
  const repository = localRepository.map((path, n) => ({
    name: `${REPOSITORY}-${n}`,
    mountPath: path,
    ...(step === 'prepare' ? { readOnly: true } : {}),
  }))
  const own = (input.ownGit?.paths ?? []).map((path, n) => ({
    name: `${OWN_GIT}-${n}`,
    mountPath: path,
    readOnly: true,
  }))
  const isHandingOut = step === 'stage' || (step === 'prepare' && !isEnvironmentForChecks(run))
  const handedOut = isHandingOut && environment !== undefined ? [mount(environment, true)] : []
  return [...clone, ...handedOut, mount(executionPath(id)), ...credentials, ...repository, ...own]
}

/** What all agents have the same of, at its place in clone or home; behind the sandbox, in which it lies. */
function ownCaches({ settings, execution, run, caches }: JobInput): VolumeMount[] {
  const sandbox = `${settings.volumeRoot}/${sandboxPath(sandboxOf(execution))}`
  return isEnvironmentForChecks(run) ? [] : cacheMounts(sandbox, run.environment?.mounted?.folder, caches)
}

function agentMounts(input: JobInput, mount: (subPath: string, readOnly?: boolean) => VolumeMount): VolumeMount[] {
  const { agent, settings, execution } = input
  const id = execution.metadata.name
  if (agent === undefined) return []
  const access = agent.spec.dropsAccess ?? 'readWrite'
  const drops = access === 'none' ? [] : [mount(DROPS_PATH, access === 'readOnly')]
  const credentials = hasCredentialFiles(agent)
    ? [{ name: AGENT_CREDENTIALS, mountPath: agentCredentialsDir(settings, id), readOnly: true }]
    : []
  const runner = runnerMounts(input, agentImage(input))
  const told = [
    ...(input.run.given === undefined ? [] : [givenFile(input.run.given)]),
    ...(isWork(execution) || input.setup !== undefined ? [] : [EXECUTION_FILES.prompt]),
    ...(input.run.hasInbox === true ? [INBOX_FOLDER] : []),
  ].map((file) => mount(`${executionPath(id)}/${file}`, true))
  return [mount(agentOutputPath(id)), ...told, ...drops, ...credentials, ...hostFileMounts(agent), ...runner]
}

/** Each file at its own path, as it lies on this machine; embedded only. */
function hostFileMounts({ spec }: Agent): VolumeMount[] {
  return hostFiles(spec).map(({ hostPath }, n) => ({ name: `${HOST_FILE}-${n}`, mountPath: hostPath, readOnly: true }))
}

function hostFiles({ credentials }: Agent['spec']): { readonly hostPath: string; readonly path: string }[] {
  return (credentials?.files ?? []).flatMap(({ hostPath, path }) =>
    hostPath === undefined ? [] : [{ hostPath, path }],
  )
}

/** Where the agent's step finds each credential file, and where below its home the CLI looks for it. */
export function credentialFiles(
  settings: JobSettings,
  execution: string,
  { spec }: Agent,
): { from: string; path: string }[] {
  const folder = agentCredentialsDir(settings, execution)
  return [
    ...(spec.credentials?.secretName === undefined
      ? []
      : credentialItems(spec).map(({ path }) => ({ from: `${folder}/${path}`, path }))),
    ...hostFiles(spec).map(({ hostPath, path }) => ({ from: hostPath, path })),
  ]
}

/** Where prepare and deliver find the git credentials of an execution. */
export function gitCredentialsDir(settings: JobSettings, execution: string): string {
  return `${settings.credentialsRoot}/${execution}/git`
}

function authorityVolumes({ pods: { caBundle } }: JobSettings): Volume[] {
  if (caBundle === undefined) return []
  const items = [{ key: caBundle.key, path: AUTHORITIES_FILE }]
  return [{ name: AUTHORITIES, configMap: { name: caBundle.configMap, items, defaultMode: 0o444 } }]
}

function agentCredentialsDir(settings: JobSettings, execution: string): string {
  return `${settings.credentialsRoot}/${execution}/agent`
}

function hasCredentialFiles({ spec }: Agent): boolean {
  return spec.credentials?.secretName !== undefined && credentialItems(spec).length > 0
}

function credentialItems({ credentials }: Agent['spec']): { readonly key: string; readonly path: string }[] {
  return (credentials?.files ?? []).flatMap(({ key, path }) => (key === undefined ? [] : [{ key, path }]))
}

function buildVolumes(input: JobInput): Volume[] {
  const { settings, agent, gitSecret, localRepository = [], ownGit } = input
  const sizeLimit = settings.pods.tmpSizeLimit
  return [
    { name: VOLUME, persistentVolumeClaim: { claimName: settings.volumeClaim } },
    { name: TMP, emptyDir: sizeLimit === undefined ? {} : { sizeLimit } },
    ...(gitSecret === undefined ? [] : [{ name: GIT, secret: { secretName: gitSecret, defaultMode: 0o440 } }]),
    ...localRepository.map((path, n) => ({ name: `${REPOSITORY}-${n}`, hostPath: { path } })),
    ...(ownGit?.paths ?? []).map((path, n) => ({ name: `${OWN_GIT}-${n}`, hostPath: { path } })),
    ...(agent === undefined ? [] : credentialVolumes(agent)),
    ...authorityVolumes(settings),
    ...(needsRunnerCopy(input) ? [{ name: RUNNER, emptyDir: { sizeLimit: RUNNER_SIZE_LIMIT } }] : []),
  ]
}

function credentialVolumes(agent: Agent): Volume[] {
  const secretName = agent.spec.credentials?.secretName
  return [
    ...(secretName === undefined || !hasCredentialFiles(agent)
      ? []
      : [{ name: AGENT_CREDENTIALS, secret: { secretName, items: credentialItems(agent.spec), defaultMode: 0o440 } }]),
    ...hostFiles(agent.spec).map(({ hostPath }, n) => ({ name: `${HOST_FILE}-${n}`, hostPath: { path: hostPath } })),
  ]
}
