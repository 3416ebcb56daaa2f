/** Jobs as the operator makes them, and their containers. */
import assert from 'node:assert/strict'
import type { Agent, Task } from '../../core/crd/types.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { Container, PodSpec } from '../../kube/builtin.ts'
import { buildJob } from '../../operator/execution/job.ts'
import type { JobInput, JobSettings } from '../../operator/execution/job-input.ts'
import { executionLabels } from '../../core/task/start.ts'
import { aTask, anAgent, anExecution } from '../helpers/build.ts'

export const settings: JobSettings = {
  volumeRoot: '/slipway',
  volumeClaim: 'data',
  credentialsRoot: '/var/run/slipway',
  runnerCommand: ['slipway-runner'],
  image: 'slipway:1',
  embedded: false,
  pods: {},
}

export const run: RunSpec = {
  schemaVersion: 1,
  task: 'task-a',
  execution: 'task-a-1',
  jobNumber: 1,
  volumeRoot: '/slipway',
  title: 'A task',
  repositoryUrl: 'https://git.example/repo.git',
  branch: 'slipway/task-a',
  keepClone: false,
  deliverOnly: false,
  agent: { name: 'script', adapter: 'script' },
  timeoutSeconds: 1800,
  maxLogBytes: 1024,
}

export function build({ task = aTask(), ...parts }: Partial<JobInput> & { task?: Task; agent?: Agent } = {}) {
  const [execution, agent] = [anExecution(), parts.agent ?? anAgent()]
  const labels = executionLabels(task, agent.metadata.name, execution.metadata.name)
  return buildJob({ settings, labels, execution, run, ...parts, agent })
}

export function podOf(parts: Parameters<typeof build>[0] = {}): PodSpec {
  return build(parts).spec.template.spec
}

export function step(name: string, pod: PodSpec): Container {
  const found = [...(pod.initContainers ?? []), ...pod.containers].find((container) => container.name === name)
  assert.ok(found, `no container ${name}`)
  return found
}

export function mounts(name: string, pod: PodSpec): string[] {
  return (step(name, pod).volumeMounts ?? [])
    .filter(({ mountPath }) => mountPath !== '/tmp')
    .map(({ mountPath, readOnly }) => `${mountPath}${readOnly === true ? ' ro' : ''}`)
}
