/**
 * The containers that run a project's checks (docs/adr/0015-checks.md). Code that an agent wrote runs in them: each is told, given
 * and mounts no more than what its own check needs.
 */
import type { ProjectCheck } from '../../core/crd/types.ts'
import { checkoutPath, checkResultPath, executionPath } from '../../core/execution/layout.ts'
import { type RunSpec, RUN_SPEC_VARIABLE } from '../../core/execution/run-spec.ts'
import { checkContainer } from '../../core/execution/steps.ts'
import { withoutAbsent } from '../../core/omit.ts'
import type { Container, EnvVar, VolumeMount } from '../../kube/builtin.ts'
import { cacheMounts } from './cache-mounts.ts'
import {
  type JobInput,
  agentImage,
  authoritiesDir,
  authorityMounts,
  commandOf,
  lastOfEach,
  runnerMounts,
  TMP,
  toVariable,
  VOLUME,
} from './job-input.ts'
import { HARDENED, podVariables, resourcesOf } from './pod-template.ts'
import { serviceVariables } from './services.ts'

/** How long all checks of a Job may take. */
export function checksSeconds({ checks }: RunSpec): number {
  return (checks?.list ?? []).reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0)
}

/** For the steps that run none of the checks. */
export function withoutPrograms(run: RunSpec): RunSpec {
  const { checks } = run
  if (checks === undefined) return run
  const list = checks.list.map(({ name, timeoutSeconds, required }) => ({ name, timeoutSeconds, required }))
  return { ...run, checks: { ...checks, list } }
}

export function buildCheck(input: JobInput, check: ProjectCheck): Container {
  const { settings, services = [] } = input
  const image = check.image ?? agentImage(input)
  const variables = lastOfEach([
    ...podVariables(settings.pods, authoritiesDir(input)),
    ...serviceVariables(services),
    // Kubernetes would read `$(NAME)` and `$$` as its own.
    ...(check.env ?? []).map(({ name, value }) => ({ name, value: value.replaceAll('$', '$$$$') })),
  ])
  const container = checkContainer(check.name)
  return {
    name: container,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: [...commandOf(input, image), 'check', check.name],
    env: lastOfEach([...variables, { name: RUN_SPEC_VARIABLE, value: toVariable(tellCheck(input, check, variables)) }]),
    volumeMounts: [
      ...checkMounts(input, check),
      ...runnerMounts(input, image),
      ...authorityMounts(input),
      { name: TMP, mountPath: '/tmp', subPath: container },
    ],
    securityContext: { ...HARDENED, readOnlyRootFilesystem: true },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ...resourcesOf(settings.pods, 'check', undefined),
  }
}

/** Who it is and what it runs: nothing of the repository, its pushes, other checks or the agent. */
function tellCheck({ run }: JobInput, { name }: ProjectCheck, variables: readonly EnvVar[]): RunSpec {
  const { schemaVersion, task, execution, jobNumber, volumeRoot, maxLogBytes, messageBytes, checks } = run
  const list = (checks?.list ?? []).filter((check) => check.name === name)
  return {
    schemaVersion,
    task,
    execution,
    jobNumber,
    volumeRoot,
    title: '',
    repositoryUrl: '',
    branch: '',
    isShared: false,
    keepClone: true,
    deliverOnly: true,
    agent: { name: '', adapter: '' },
    timeoutSeconds: run.timeoutSeconds,
    maxLogBytes,
    ...withoutAbsent({ messageBytes }),
    checks: { round: checks?.round ?? 1, list },
    passEnv: variables.map((variable) => variable.name),
  }
}

/** Its own checkout and result, and the caches that nobody can write. */
function checkMounts({ settings, execution, run, caches }: JobInput, { name }: ProjectCheck): VolumeMount[] {
  const files = executionPath(execution.metadata.name)
  const mount = (path: string): VolumeMount => {
    const subPath = `${files}/${path}`
    return { name: VOLUME, mountPath: `${settings.volumeRoot}/${subPath}`, subPath }
  }
  const checkout = mount(checkoutPath(name))
  return [
    checkout,
    ...cacheMounts(checkout.mountPath, run.environment?.mounted?.folder, caches),
    mount(checkResultPath(run.checks?.round ?? 1, name)),
  ]
}
