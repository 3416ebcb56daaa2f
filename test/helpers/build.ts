/** Builders: a test names only what matters to it. */
import type { Agent, Execution, ObjectMeta, Project, Story, Task, TaskStatus } from '../../core/crd/types.ts'
import type { Text } from '../../core/text.ts'
import type { Container, Job, Lease, Pod } from '../../kube/builtin.ts'

export const NAMESPACE = 'default'

/** With plain texts where the type asks for clipped ones: a test knows how long its texts are. */
export type Plain<T> = T extends Text<number> ? string : T extends object ? { readonly [K in keyof T]: Plain<T[K]> } : T

/** A text that is short enough wherever it is put. */
export function text(value: string): Text<never> {
  return value as Text<never>
}

/** The value as the type wants it, its texts unclipped. */
export function unclipped<T>(value: Plain<T>): T {
  return value as T
}

/** `spec`, `status` and `metadata` of a builder are merged over its defaults. */
interface Parts<S, T> {
  readonly name?: string
  readonly metadata?: Partial<ObjectMeta>
  readonly spec?: Partial<S>
  readonly status?: Plain<T>
}

function meta(name: string, metadata: Partial<ObjectMeta> = {}): ObjectMeta {
  return { name, namespace: NAMESPACE, uid: `uid-${name}`, ...metadata }
}

function withStatus<T>(status: Plain<T> | undefined): { readonly status?: T } {
  return status === undefined ? {} : { status: unclipped<T>(status) }
}

/** A script task with a repository. */
export function aTask(parts: Parts<Task['spec'], NonNullable<Task['status']>> = {}): Task {
  const { name = 'task-a', metadata, spec, status } = parts
  const defaults = { title: 'A task', repositoryUrl: 'https://git.example/repo.git' }
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Task',
    metadata: meta(name, metadata),
    spec: { ...defaults, agent: { type: 'script', instructions: 'true' }, ...spec },
    ...withStatus<NonNullable<Task['status']>>(status),
  }
}

export function anExecution(parts: Parts<Execution['spec'], NonNullable<Execution['status']>> = {}): Execution {
  const { name = 'task-a-1', metadata, spec, status } = parts
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Execution',
    metadata: meta(name, metadata),
    spec: { taskRef: { name: name.replace(/-\d+$/, '') }, agent: 'script', purpose: 'Run', attempt: 1, ...spec },
    ...withStatus<NonNullable<Execution['status']>>(status),
  }
}

export function anAgent(parts: Parts<Agent['spec'], NonNullable<Agent['status']>> = {}): Agent {
  const { name = 'script', metadata, spec, status } = parts
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Agent',
    metadata: meta(name, metadata),
    spec: { adapter: 'script', ...spec },
    ...withStatus<NonNullable<Agent['status']>>(status),
  }
}

export function aStory(parts: Parts<Story['spec'], NonNullable<Story['status']>> = {}): Story {
  const { name = 'story-a', metadata, spec, status } = parts
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Story',
    metadata: meta(name, metadata),
    spec: { title: 'A story', ...spec },
    ...withStatus<NonNullable<Story['status']>>(status),
  }
}

export function aProject(parts: Parts<Project['spec'], NonNullable<Project['status']>> = {}): Project {
  const { name = 'project-a', metadata, spec, status } = parts
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Project',
    metadata: meta(name, metadata),
    spec: { title: 'A project', remoteUrl: 'https://git.example/repo.git', ...spec },
    ...withStatus<NonNullable<Project['status']>>(status),
  }
}

/** A free slot unless a holder is given. */
export function aLease(
  parts: Parts<object, never> & { readonly agent?: string; readonly holder?: string } = {},
): Lease {
  const { agent = 'script', name = `slipway-slot-${agent}-1`, metadata, holder } = parts
  const labels = { 'slipway.dev/agent': agent }
  return { metadata: meta(name, { labels, ...metadata }), spec: { holderIdentity: holder ?? '' } }
}

/** The first Job of an execution, running. */
export function aJob(
  parts: Parts<Job['spec'], NonNullable<Job['status']>> & { readonly execution?: string } = {},
): Job {
  const { execution = 'task-a-1', name = `${execution}-run`, metadata, spec, status } = parts
  const labels = { 'slipway.dev/execution': execution, 'slipway.dev/task': execution.replace(/-\d+$/, '') }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta(name, { labels, ...metadata }),
    spec: { template: { spec: { containers: [] } }, ...spec },
    ...withStatus(status),
  }
}

function aContainer(name: string): Container {
  return { name, image: 'slipway:test', command: [] }
}

/** The Pod of a Job, with the three steps of a task's execution; Pending. */
export function aPod(parts: Parts<Pod['spec'], NonNullable<Pod['status']>> & { readonly job?: string } = {}): Pod {
  const { job = 'task-a-1-run', name = `${job}-x`, metadata, spec, status } = parts
  const execution = job.replace(/-run(-\d+)?$/, '')
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: job, uid: `uid-${job}`, controller: true }
  const labels = { 'slipway.dev/execution': execution, 'slipway.dev/task': execution.replace(/-\d+$/, '') }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: meta(name, { labels, ownerReferences: [owner], ...metadata }),
    spec: {
      initContainers: [aContainer('prepare'), aContainer('agent')],
      containers: [aContainer('deliver')],
      ...spec,
    },
    status: { phase: 'Pending', ...status },
  }
}

const FOREIGN = { commit: '0123456789abcdef0123456789abcdef01234567', author: 'Eve', subject: 'theirs' }

/** All that a status keeps of its review and of what was pushed. */
export const REVIEWED = {
  baseCommit: 'b'.repeat(40),
  pushes: [
    { head: 'c'.repeat(40), base: 'b'.repeat(40), at: '2026-01-01T00:00:30Z' },
    { found: 'c'.repeat(40), base: 'b'.repeat(40), head: 'd'.repeat(40), at: '2026-01-01T00:01:00Z' },
  ],
  head: { commit: 'd'.repeat(40), at: '2026-01-01T00:01:00Z' },
  changes: { files: 2, insertions: 3, deletions: 1 },
  foreignCommits: [FOREIGN],
  foreignCommitCount: 1,
  hiddenCommits: [{ ...FOREIGN, path: 'key' }],
  bulk: [{ path: 'node_modules', files: 3000 }],
} as const satisfies Plain<TaskStatus>
