/** A world whose project has checks, and how its Jobs and pods end. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project, TaskStatus } from '../../core/crd/types.ts'
import type { Given } from '../../core/execution/given.ts'
import { executionPath, givenFile } from '../../core/execution/layout.ts'
import type { ExecutionResult } from '../../core/execution/result.ts'
import type { ContainerStatus } from '../../kube/builtin.ts'
import { AGENTS, JOBS, PODS, PROJECTS, SECRETS } from '../../kube/resources.ts'
import { aPod, aProject, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type JobEnd, type World, openWorld, runSpecOf } from './world.ts'

const QUEUED: TaskStatus = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' }
export const HEAD = 'a'.repeat(40)

type Verdicts = NonNullable<ExecutionResult['checks']>

export const verdict = (name: string, state: Verdicts[number]['state'], parts: Partial<Verdicts[number]> = {}) => ({
  name,
  state,
  required: true,
  commit: HEAD,
  seconds: 4,
  ...(state === 'Failed' ? { exitCode: 1 } : {}),
  ...parts,
})

export const done = (costUSD: number) => ({ outcome: 'succeeded', sessionId: 's-1', costUSD }) as const

/** As deliver leaves it where a check is red. */
export function red(checks: Verdicts, costUSD = 0.4): JobEnd {
  const error = { category: 'checks', message: 'check test is red: exit code 1' } as const
  return { outcome: done(costUSD), result: { ...done(costUSD), outcome: 'failed', pushed: false, error, checks } }
}

export function green(checks: Verdicts, costUSD = 0.4): JobEnd {
  return { outcome: done(costUSD), result: { ...done(costUSD), pushed: true, head: HEAD, checks } }
}

export async function openChecks(): Promise<World> {
  const world = await openWorld({ allowUnsandboxed: true })
  const credentials = { secretName: 'login', env: [{ name: 'KEY', key: 'key' }] }
  world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials } }))
  const metadata = { name: 'login', namespace: NAMESPACE, labels: { 'slipway.dev/usable-by': 'agent' } }
  world.kube.put(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata, data: { key: 'a2V5' } })
  return world
}

/** How a container of the pod ended. */
export const ended = (name: string, exitCode = 0, parts: object = {}) => ({
  name,
  state: {
    terminated: { exitCode, startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:09Z', ...parts },
  },
})
export const before = [ended('prepare'), ended('agent'), ended('stage')]

/** What happens in the world of a test. */
export function inWorld(world: () => World) {
  async function begin(spec: Partial<Project['spec']> = {}): Promise<void> {
    const checks = [{ name: 'test', run: 'npm test' }]
    world().kube.put(PROJECTS, aProject({ spec: { checks, ...spec } }))
    world().given({ status: QUEUED, spec: { project: 'project-a', agent: { type: 'claude' }, budgetUSD: 5 } })
    await world().sync()
  }

  async function end(job: string, how: JobEnd): Promise<void> {
    await world().endJob(job, how)
    await world().sync()
  }

  const act = async (action: string, comment = 'because'): Promise<void> => {
    await world().clock.advance(1_000)
    world().annotate('task-a', { 'slipway.dev/action': action, 'slipway.dev/comment': comment })
    await world().sync()
  }

  const containers = (job: string): string[] =>
    (world().job(job)?.spec.template.spec.initContainers ?? []).map(({ name }) => name)

  async function givenTo(job: string): Promise<Given> {
    const { execution, given = '' } = runSpecOf(world().job(job))
    const path = join(world().volumeRoot, executionPath(execution), givenFile(given))
    return JSON.parse(await readFile(path, 'utf8')) as Given
  }

  function putPod(job: string, statuses: Partial<ContainerStatus>[], phase: 'Running' | 'Failed' = 'Running'): void {
    const { spec } = world().job(job)?.spec.template ?? {}
    assert.ok(spec)
    const initContainerStatuses = statuses.map((status) => ({
      name: '',
      image: '',
      imageID: '',
      ready: false,
      restartCount: 0,
      ...status,
    }))
    const { initContainers = [], containers: main } = spec
    world().kube.put(
      PODS,
      aPod({ job, spec: { initContainers, containers: main }, status: { phase, initContainerStatuses } }),
    )
    const found = world().job(job)
    if (phase === 'Failed' && found !== undefined)
      world().kube.put(JOBS, { ...found, status: { conditions: [{ type: 'Failed', status: 'True' }] } })
  }

  function evict(job: string): void {
    const pod = world()
      .kube.all(PODS)
      .find(({ metadata }) => metadata.name === `${job}-x`)
    assert.ok(pod)
    world().kube.put(PODS, { ...pod, status: { ...pod.status, phase: 'Failed', reason: 'Evicted' } })
  }

  /** As the agent's step of the first Job leaves it. */
  async function writeOutcome(): Promise<void> {
    const at = world().clock.now().toISOString()
    const folder = join(world().volumeRoot, executionPath('task-a-1'), 'agent')
    await mkdir(folder, { recursive: true })
    await mkdir(join(world().volumeRoot, 'sandboxes/task-a/repo/.git'), { recursive: true })
    const identity = { schemaVersion: 1, execution: 'task-a-1', jobNumber: 1, startedAt: at, finishedAt: at }
    await writeFile(join(folder, 'outcome.json'), JSON.stringify({ ...identity, ...done(0.4) }))
  }

  return { begin, end, act, containers, givenTo, putPod, evict, writeOutcome }
}
