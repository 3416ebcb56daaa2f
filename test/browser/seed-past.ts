/**
 * A week that has passed: tasks and executions with the times of then. REST stamps what it makes with the present, so
 * they are written to the embedded control plane's own store, by its own server with a clock that is set back, before
 * Slipway is started on it.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { storeFolder } from '../../cli/data-dir.ts'
import { readCrds } from '../../cli/installation.ts'
import type { ExecutionStatus, TaskStatus } from '../../core/crd/types.ts'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import { executionName, ownBranch } from '../../core/names.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import { startControlPlane } from '../../embedded/server.ts'
import { type ApiClient, createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { AGENTS, EXECUTIONS, NAMESPACES, TASKS } from '../../kube/resources.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import type { Installation } from '../system/installation.ts'
import { type PastTask, PAST_TASKS } from './seed-past-data.ts'
import { text } from '../helpers/build.ts'

const IN_DEFAULT = { apiVersion: 'slipway.dev/v1alpha1', namespace: 'default' } as const
const MINUTE_MS = 60_000
const BEFORE_MS = 8 * 24 * 60 * MINUTE_MS

/** Writes the past into the data folder of an installation that has not been started yet. */
export async function seedPast(installation: Installation): Promise<void> {
  const startedAt = systemClock.now()
  let now = startedAt
  mkdirSync(installation.dataDir, { recursive: true, mode: 0o700 })
  const server = await startControlPlane({
    storeDir: storeFolder(installation),
    crds: readCrds(),
    host: '127.0.0.1',
    port: 0,
    clock: { now: () => now, schedule: systemClock.schedule },
    logger: makeLogger('silent'),
    randomBytes,
  })
  const config = await loadKubeConfig({ kind: 'content', content: server.kubeconfig })
  const client = createClient(config, { userAgent: 'seed', fieldManager: 'seed', requestTimeoutMs: 30_000 })
  try {
    const exists = await client.find(NAMESPACES, { name: 'default' })
    if (exists === undefined)
      await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } })
    now = addMs(startedAt, -BEFORE_MS)
    for (const [name, maxConcurrent] of [
      ['claude', 3],
      ['codex', 1],
    ] as const)
      await client.create(AGENTS, {
        apiVersion: IN_DEFAULT.apiVersion,
        kind: 'Agent',
        metadata: { name, namespace: IN_DEFAULT.namespace },
        // With credentials given, a start does not put this machine's own login of the CLI there.
        spec: { adapter: 'script', maxConcurrent, credentials: {} },
      })
    for (const [n, task] of PAST_TASKS.entries()) {
      now = addMs(startedAt, -task.createdMsAgo)
      await writeTask(client, task, { n, installation, createdAt: now })
    }
  } finally {
    await client.close()
    await server.stop()
  }
}

interface Past {
  readonly n: number
  readonly installation: Installation
  readonly createdAt: Date
}

/** Minutes after the task was made, as a time. */
type At = (minutes: number) => string

async function writeTask(client: ApiClient, task: PastTask, past: Past): Promise<void> {
  const { id, title, storyId, project, agent, error } = task
  const at: At = (minutes) => toTimestamp(addMs(past.createdAt, minutes * MINUTE_MS))
  const created = await client.create(TASKS, {
    apiVersion: IN_DEFAULT.apiVersion,
    kind: 'Task',
    metadata: { name: id, namespace: IN_DEFAULT.namespace },
    spec: {
      title,
      description: `${title}. Keep the behaviour of everything else, and add tests for what is new.`,
      project,
      agent: { type: agent },
      ...(storyId === undefined ? {} : { storyId }),
    },
  })
  const outcomes = [...task.failures, error]
  let last: ExecutionStatus = {}
  for (const [index, failure] of outcomes.entries()) {
    const isLast = index === outcomes.length - 1
    last = await writeExecution(client, task, { ...past, at, index, failure, end: isLast ? task.end : 'FAILED' })
  }
  const status = taskStatus(task, { last, count: outcomes.length, at, n: past.n })
  await client.mergePatch(TASKS, created.metadata, { status }, { subresource: 'status' })
}

interface PastExecution extends Past {
  readonly at: At
  /** Of the attempt, from 0. */
  readonly index: number
  readonly failure: ExecutionStatus['error'] | undefined
  readonly end: Outcome['end']
}

async function writeExecution(client: ApiClient, task: PastTask, past: PastExecution): Promise<ExecutionStatus> {
  const { n, at, index, failure, end, installation } = past
  const name = executionName(task.id, index + 1)
  const minutes = 4 + (n % 23)
  const from = 1 + index * (minutes + 3)
  const status = {
    ...executionStatus({ failure, end, n: n + index * 7 }),
    startedAt: at(from),
    finishedAt: at(from + minutes),
  }
  const { metadata } = await client.create(EXECUTIONS, {
    apiVersion: IN_DEFAULT.apiVersion,
    kind: 'Execution',
    metadata: { name, namespace: IN_DEFAULT.namespace },
    spec: {
      taskRef: { name: task.id },
      agent: task.agent,
      purpose: 'Run',
      attempt: index + 1,
      projectRef: { name: task.project },
    },
  })
  await client.mergePatch(EXECUTIONS, metadata, { status }, { subresource: 'status' })
  writeFiles(installation, name, { title: task.title, failure: failure?.message, n })
  return status
}

interface Ended {
  readonly last: ExecutionStatus
  /** Of executions. */
  readonly count: number
  readonly at: At
  readonly n: number
}

function taskStatus({ id, agent, end, error }: PastTask, { last, count, at, n }: Ended): TaskStatus {
  const accept = { action: 'accept' as const, by: n % 3 === 0 ? 'Grace' : 'Ada', at: at(120) }
  return {
    state: end,
    agent: { type: agent, chosenBy: 'Spec', reason: text('the task names it') },
    execution: executionName(id, count),
    executions: count,
    attempts: count,
    queuedAt: at(0),
    startedAt: last.startedAt ?? at(1),
    finishedAt: last.finishedAt ?? at(2),
    branch: ownBranch(id),
    costUSD: (last.costUSD ?? 0) * count,
    decisions: [{ action: 'run', by: 'Ada', at: at(0) }, ...(end === 'COMPLETED' ? [accept] : [])],
    ...(last.summary === undefined ? {} : { summary: last.summary }),
    ...(last.changes === undefined ? {} : { changes: last.changes }),
    ...(error === undefined ? {} : { error }),
  }
}

interface Outcome {
  readonly failure: ExecutionStatus['error'] | undefined
  readonly end: NonNullable<ExecutionStatus['state']> | 'READY' | 'QUEUED'
  readonly n: number
}

function executionStatus({ failure, end, n }: Outcome): ExecutionStatus {
  const costUSD = Math.round((0.12 + ((n * 37) % 290) / 100) * 100) / 100
  const tokens = { input: 12_000 + n * 731, output: 2_100 + n * 97, cacheRead: 310_000, cacheWrite: 24_000 }
  const common = { exitCode: failure === undefined ? 0 : 1, costUSD, tokens, turns: 8 + (n % 31) }
  if (failure !== undefined)
    return { ...common, state: end === 'QUEUED' || end === 'READY' ? 'FAILED' : end, error: failure }
  return {
    ...common,
    state: 'COMPLETED',
    summary: text(
      'Done as asked. Two callers had to change, and one test that was wrong before is right now. All tests pass.',
    ),
    changes: { files: 1 + (n % 9), insertions: 8 + ((n * 53) % 420), deletions: (n * 29) % 160 },
  }
}

interface Files {
  readonly title: string
  readonly failure: string | undefined
  readonly n: number
}

/** What the steps of an execution leave on the data volume. */
function writeFiles(installation: Installation, execution: string, { title, failure, n }: Files): void {
  const write = (file: 'stdout' | 'stderr' | 'diff', text: string): void => {
    const path = installation.executionFile(execution, EXECUTION_FILES[file])
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const lines = Array.from(
    { length: 40 },
    (_, i) => `\u001b[32m✓\u001b[0m test ${i + 1} of ${title} (${(n + i) % 90} ms)`,
  )
  write('stdout', `${lines.join('\n')}\n`)
  write('stderr', failure === undefined ? '' : `error: ${failure}\n`)
  if (failure === undefined) write('diff', sampleDiff(n))
}

function sampleDiff(n: number): string {
  return `diff --git a/src/price.ts b/src/price.ts
index 1111111111111111111111111111111111111111..2222222222222222222222222222222222222222 100644
--- a/src/price.ts
+++ b/src/price.ts
@@ -1,4 +1,6 @@
 import { sum } from './sum.ts'
-export const tax = 0.${10 + (n % 9)}
+import { Decimal } from './decimal.ts'
+
+export const tax = new Decimal('0.${10 + (n % 9)}')
 export const total = (lines: readonly number[]) => sum(lines)
 // Prices are in cents.
`
}
