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
import type { ExecutionStatus } from '../../core/crd/types.ts'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import { executionName, ownBranch } from '../../core/names.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import { startControlPlane } from '../../embedded/server.ts'
import type { ApiClient } from '../../kube/client.ts'
import { createClient } from '../../kube/client.ts'
import { loadKubeConfig } from '../../kube/config.ts'
import { AGENTS, EXECUTIONS, NAMESPACES, TASKS } from '../../kube/resources.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import type { Installation } from '../system/installation.ts'
import type { PastTask } from './seed-past-data.ts'
import { PAST_TASKS } from './seed-past-data.ts'

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

async function writeTask(client: ApiClient, task: PastTask, past: Past): Promise<void> {
  const { n, installation, createdAt } = past
  const { id, title, storyId, project, agent, end, error } = task
  const at = (minutes: number): string => toTimestamp(addMs(createdAt, minutes * MINUTE_MS))
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
  const minutes = 4 + (n % 23)
  let last: ExecutionStatus = {}
  for (const [index, failure] of outcomes.entries()) {
    const name = executionName(id, index + 1)
    const from = 1 + index * (minutes + 3)
    last = executionStatus({ failure, end: index === outcomes.length - 1 ? end : 'FAILED', n: n + index * 7 })
    last = { ...last, startedAt: at(from), finishedAt: at(from + minutes) }
    const execution = await client.create(EXECUTIONS, {
      apiVersion: IN_DEFAULT.apiVersion,
      kind: 'Execution',
      metadata: { name, namespace: IN_DEFAULT.namespace },
      spec: { taskRef: { name: id }, agent, purpose: 'Run', attempt: index + 1, projectRef: { name: project } },
    })
    await client.mergePatch(EXECUTIONS, execution.metadata, { status: last }, { subresource: 'status' })
    writeFiles(installation, name, { title, failure: failure?.message, n })
  }
  const finished = last.finishedAt ?? at(minutes)
  const decisions = [
    { action: 'run' as const, by: 'Ada', at: at(0) },
    ...(end === 'COMPLETED'
      ? [{ action: 'accept' as const, by: n % 3 === 0 ? 'Grace' : 'Ada', at: at(minutes * 3) }]
      : []),
  ]
  const status = {
    state: end,
    agent: { type: agent, chosenBy: 'Spec' as const, reason: 'the task names it' },
    execution: executionName(id, outcomes.length),
    executions: outcomes.length,
    attempts: outcomes.length,
    queuedAt: at(0),
    startedAt: last.startedAt ?? at(1),
    finishedAt: finished,
    branch: ownBranch(id),
    costUSD: (last.costUSD ?? 0) * outcomes.length,
    decisions,
    ...(last.summary === undefined ? {} : { summary: last.summary }),
    ...(last.changes === undefined ? {} : { changes: last.changes }),
    ...(error === undefined ? {} : { error }),
  }
  await client.mergePatch(TASKS, created.metadata, { status }, { subresource: 'status' })
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
    summary:
      'Done as asked. Two callers had to change, and one test that was wrong before is right now. All tests pass.',
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
