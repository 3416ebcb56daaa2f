import { setTimeout } from 'node:timers/promises'
import type { Job } from '../../kube/builtin.ts'
import type { ApiClient } from '../../kube/client.ts'
import { JOBS } from '../../kube/resources.ts'
import { type AuditLog, type RequestCounts, findAuditLog, totalOf } from '../audit-log.ts'
import { newName } from '../cluster-rig.ts'
import { type Figure, median } from '../figure.ts'
import { type Effort, medianOf } from '../measure.ts'
import { type OperatorRig, forEach, withCluster, withOperatorRig } from '../operator-rig.ts'
import { processorSeconds, residentMB } from '../program.ts'

/** As the operator's client names itself. */
const USER_AGENT = 'slipway'
/** Events are written behind the step that they report on. */
const SETTLE_MS = 1500
/** Until V8 has given back what a start has left (lib/heap.ts). */
const COLLECTED_MS = 20_000

/** Processor time within {@link COLLECTED_MS} of an operator that has nothing to do. */
const QUIET_SECONDS = 1

interface Amounts {
  /** Tasks one after another. */
  readonly sequence: number
  /** Tasks of as many agents at once. */
  readonly burst: number
  /** Whole lives, over a tenth as many agents. */
  readonly lives: number
  readonly queue: number
  readonly finished: number
}

const AMOUNTS: Readonly<Record<Effort['size'], Amounts>> = {
  full: { sequence: 100, burst: 500, lives: 500, queue: 1200, finished: 5000 },
  quick: { sequence: 10, burst: 20, lives: 20, queue: 20, finished: 100 },
}

/** The operator on a real kube-apiserver: how fast it is, and what it asks of everybody's control plane. */
export async function measure({ size }: Effort): Promise<Figure[]> {
  const audit = findAuditLog()
  const amounts = AMOUNTS[size]
  return withCluster('operator', async (client) => [
    ...(await withOperatorRig(client, (rig) => measureLives(rig, amounts, audit))),
    ...(await withOperatorRig(client, (rig) => measureQueue(rig, amounts.queue))),
    ...(await measureStarts(client, amounts.finished, audit)),
  ])
}

async function measureLives(rig: OperatorRig, amounts: Amounts, audit: AuditLog | undefined): Promise<Figure[]> {
  await rig.createAgents(['one', ...names('burst', amounts.burst), ...names('agent', amounts.lives / 10)], 1)
  const operator = await rig.startOperator()
  const pid = operator.process.pid ?? 0
  // The first task finds connections and code cold.
  await liveOne(rig, 'warm-up')
  await setTimeout(SETTLE_MS)
  const idleMB = residentMB(pid)
  const one = await measureSequence(rig, pid, amounts.sequence, audit)
  const checked = await countChecked(rig, Math.ceil(amounts.sequence / 2), audit)
  const burst = await measureBurst(rig, pid, amounts.burst)
  const flow = await measureFlow(rig, pid, amounts.lives)
  return [
    ...one,
    ...checked,
    ...burst,
    ...flow,
    { name: 'operator: resident memory idle', unit: 'MB', ours: idleMB, aim: { atMost: 80 } },
    { name: 'operator: resident memory after all of these', unit: 'MB', ours: residentMB(pid), aim: { atMost: 110 } },
  ]
}

interface Life {
  readonly startMs: number
  readonly endMs: number
}

/** A task with all that becomes of it. */
async function liveOne(rig: OperatorRig, task: string): Promise<Life> {
  const appliedAt = performance.now()
  await rig.createTask(task, 'one')
  const startMs = (await rig.jobSeen(task)) - appliedAt
  const pod = await rig.podSeen(task)
  const endedAt = performance.now()
  await rig.endPod(pod)
  return { startMs, endMs: (await rig.readySeen(task)) - endedAt }
}

async function measureSequence(
  rig: OperatorRig,
  pid: number,
  count: number,
  audit: AuditLog | undefined,
): Promise<Figure[]> {
  const lives: Life[] = []
  const bare: number[] = []
  audit?.mark()
  const before = processorSeconds(pid)
  for (const task of names('task', count)) lives.push(await liveOne(rig, task))
  await setTimeout(SETTLE_MS)
  const processorMs = ((processorSeconds(pid) - before) * 1000) / count
  const requests = audit && toFigures(await audit.count(USER_AGENT, rig.namespace), count)
  for (let n = 0; n < count; n++) bare.push(await createBareJob(rig))
  const starts = lives.map(({ startMs }) => startMs)
  const floor = { what: 'a bare create', value: median(bare) }
  const ends = median(lives.map(({ endMs }) => endMs))
  return [
    { name: 'task applied → Job, median', unit: 'ms', ours: median(starts), floor, aim: { atMost: 20 } },
    {
      name: 'task applied → Job, p99',
      unit: 'ms',
      ours: percentile99(starts),
      floor: { what: floor.what, value: percentile99(bare) },
      aim: { atMost: 40 },
    },
    { name: 'pod ended → task READY, median', unit: 'ms', ours: ends, floor, aim: { atMost: 15 } },
    { name: 'operator: processor time per task, one at a time', unit: 'ms', ours: processorMs, aim: { atMost: 15 } },
    ...(requests ?? []),
  ]
}

/** What a check that is green adds: its start is written, and with its end the end of the execution. */
async function countChecked(rig: OperatorRig, count: number, audit: AuditLog | undefined): Promise<Figure[]> {
  if (audit === undefined) return []
  await rig.createCheckedProject('checked')
  await setTimeout(SETTLE_MS)
  audit.mark()
  for (const task of names('checked', count)) {
    await rig.createTask(task, 'one', 0, 'checked')
    const pod = await rig.podSeen(task)
    await rig.runCheck(pod)
    await rig.endPod(pod)
    await rig.readySeen(task)
  }
  await setTimeout(SETTLE_MS)
  const counts = await audit.count(USER_AGENT, rig.namespace)
  logCounts('with a check', counts, count)
  const ours = totalOf(counts) / count
  return [{ name: 'requests per life of a task, with one green check', unit: '', ours, aim: { atMost: 14 } }]
}

/** The table by kind goes to the log: what is asked is what one has to look at. */
function logCounts(title: string, counts: RequestCounts, tasks: number): void {
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a)
  for (const [what, n] of sorted) process.stderr.write(`${title}: ${(n / tasks).toFixed(2)} per task: ${what}\n`)
}

function toFigures(counts: RequestCounts, tasks: number): Figure[] {
  logCounts('operator', counts, tasks)
  const perTask = (isCounted?: (what: string) => boolean): number => totalOf(counts, isCounted) / tasks
  return [
    // Twelve, and what falls on a task of the renewals of the leader's Lease.
    { name: 'requests per life of a task', unit: '', ours: perTask(), aim: { atMost: 12.9 } },
    { name: '… of them Events', unit: '', ours: perTask((what) => what.endsWith(' events')), aim: { atMost: 3 } },
    { name: '… of them reads', unit: '', ours: perTask((what) => /^(get|list) /.test(what)), aim: { atMost: 0 } },
  ]
}

async function createBareJob(rig: OperatorRig): Promise<number> {
  const name = newName()
  const startedAt = performance.now()
  await rig.client.create(JOBS, makeBareJob(name, rig.namespace))
  return (await rig.jobSeen(name)) - startedAt
}

/** Suspended, the Job controller makes nothing of it. */
function makeBareJob(name: string, namespace: string, { suspend } = { suspend: true }): Job {
  const template = { spec: { containers: [{ name: 'none', image: 'none' }], restartPolicy: 'Never' as const } }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, namespace }, spec: { suspend, template } }
}

/** Many tasks at once, none of which waits for another; the floor is as many bare creates by as many writers. */
async function measureBurst(rig: OperatorRig, pid: number, count: number): Promise<Figure[]> {
  const tasks = names('burst', count)
  const before = processorSeconds(pid)
  const startedAt = performance.now()
  await forEach(tasks, (task) => rig.createTask(task, task))
  const lastAt = Math.max(...(await Promise.all(tasks.map((task) => rig.jobSeen(task)))))
  const processorMs = ((processorSeconds(pid) - before) * 1000) / count
  const bareAt = performance.now()
  await forEach(names('bare', count), (name) => rig.client.create(JOBS, makeBareJob(name, rig.namespace)))
  const floor = { what: 'bare creates', value: (count * 1000) / (performance.now() - bareAt) }
  await forEach(tasks, async (task) => rig.endPod(await rig.podSeen(task)))
  await Promise.all(tasks.map((task) => rig.readySeen(task)))
  const ours = (count * 1000) / (lastAt - startedAt)
  return [
    { name: `${count} tasks of ${count} agents at once`, unit: 'Jobs/s', ours, floor, aim: { atLeast: 58 } },
    { name: '… processor time until the Job', unit: 'ms', ours: processorMs },
  ]
}

async function measureFlow(rig: OperatorRig, pid: number, count: number): Promise<Figure[]> {
  const tasks = names('life', count)
  const agents = count / 10
  rig.endAllPods()
  const floor = { what: 'bare Jobs, each until it is complete', value: await measureBareLives(rig, count) }
  const before = processorSeconds(pid)
  const startedAt = performance.now()
  await forEach(
    tasks.map((task, n) => ({ task, agent: `agent-${n % agents}` })),
    ({ task, agent }) => rig.createTask(task, agent),
  )
  const lastAt = Math.max(...(await Promise.all(tasks.map((task) => rig.readySeen(task)))))
  const processorMs = ((processorSeconds(pid) - before) * 1000) / count
  const ours = (count * 1000) / (lastAt - startedAt)
  return [
    { name: `${count} whole lives over ${agents} agents`, unit: 'tasks/s', ours, floor, aim: { atLeast: 25 } },
    { name: 'operator: processor time per task, in that flow', unit: 'ms', ours: processorMs, aim: { atMost: 15 } },
  ]
}

/** What the Job controller of the cluster gets done by itself, in Jobs a second: no operator is faster. */
async function measureBareLives(rig: OperatorRig, count: number): Promise<number> {
  const jobs = names('alone', count)
  const startedAt = performance.now()
  await forEach(jobs, (name) => rig.client.create(JOBS, makeBareJob(name, rig.namespace, { suspend: false })))
  const lastAt = Math.max(...(await Promise.all(jobs.map((name) => rig.completeSeen(name)))))
  return (count * 1000) / (lastAt - startedAt)
}

/** One agent with one slot: from the end of what runs to the Job of the next, with ten behind it and with many. */
async function measureQueue(rig: OperatorRig, length: number): Promise<Figure[]> {
  await rig.createAgents(['one'], 1)
  await rig.startOperator()
  const few = names('queued', 10)
  await fillQueue(rig, few)
  const floor = { what: 'with 10 waiting', value: await medianGap(rig, few.slice(0, 6)) }
  for (const task of few.slice(5)) await rig.endPod(await rig.podSeen(task))
  const many = names('more', length)
  await fillQueue(rig, many)
  const ours = await medianGap(rig, many.slice(0, 6))
  return [{ name: `slot free → next Job, ${length} waiting`, unit: 'ms', ours, floor, aim: { atMost: 2, of: 'ratio' } }]
}

/** The first one runs, and the others wait in this order. */
async function fillQueue(rig: OperatorRig, tasks: readonly string[]): Promise<void> {
  const [first = '', ...others] = tasks
  await rig.createTask(first, 'one')
  await rig.jobSeen(first)
  await forEach([...others.entries()], ([n, task]) => rig.createTask(task, 'one', n))
  // Who is not in the queue yet would be passed over.
  await Promise.all(others.map((task) => rig.queuedSeen(task)))
}

/** Ends one after another but the last. */
async function medianGap(rig: OperatorRig, tasks: readonly string[]): Promise<number> {
  const waiting = [...tasks]
  return medianOf(tasks.length - 1, async () => {
    const [running = '', next = ''] = waiting
    waiting.shift()
    const pod = await rig.podSeen(running)
    const startedAt = performance.now()
    await rig.endPod(pod)
    return (await rig.jobSeen(next)) - startedAt
  })
}

/** Without what the cluster still holds of the finished executions, which is the floor, and with it. */
async function measureStarts(client: ApiClient, count: number, audit: AuditLog | undefined): Promise<Figure[]> {
  const without = await withOperatorRig(client, (rig) => measureStart(rig, count, audit))
  const ours = await withOperatorRig(client, (rig) => measureStartWithJobs(rig, count))
  const floor = { what: 'without Jobs and Pods', value: without[0]?.ours ?? Number.NaN }
  const where = `${count.toLocaleString('en')} finished Jobs and Pods`
  return [
    ...without,
    {
      name: `operator: start → Job of a new task, ${where}`,
      unit: 'ms',
      ours: ours.startMs,
      floor,
      aim: { atMost: 3, of: 'ratio' },
    },
    {
      name: '… processor time until it is quiet',
      unit: 's',
      ours: ours.processorSeconds,
      aim: { atMost: 5 + count / 100 },
    },
  ]
}

/** As an operator that was away for long finds them: most are more than it keeps. */
async function measureStartWithJobs(rig: OperatorRig, count: number) {
  await rig.createAgents(['one'], 1)
  const at = new Date(Date.now() - 86_400_000)
  await forEach(names('past', count), async (name) => {
    await rig.createFinished(name, at)
    await rig.createEndedJob(name, at)
  })
  await rig.createTask('new', 'one')
  const startedAt = performance.now()
  const pid = (await rig.startOperator()).process.pid ?? 0
  const startMs = (await rig.jobSeen('new')) - startedAt
  let spent = processorSeconds(pid)
  for (let before = -1; spent - before > QUIET_SECONDS;) {
    before = spent
    await setTimeout(COLLECTED_MS)
    spent = processorSeconds(pid)
  }
  return { startMs, processorSeconds: spent }
}

/** A restart with history: every finished task is looked at, and none is written. */
async function measureStart(rig: OperatorRig, count: number, audit: AuditLog | undefined): Promise<Figure[]> {
  await rig.createAgents(['one'], 1)
  // Too young for the archive, which is not what is measured here.
  const at = new Date(Date.now() - 86_400_000)
  await forEach(names('past', count), (name) => rig.createFinished(name, at))
  await rig.createTask('new', 'one')
  audit?.mark()
  const startedAt = performance.now()
  const operator = await rig.startOperator()
  const ours = (await rig.jobSeen('new')) - startedAt
  await setTimeout(SETTLE_MS)
  const writes = audit && totalOf(await audit.count(USER_AGENT, rig.namespace), (what) => /^(update|patch) /.test(what))
  await setTimeout(COLLECTED_MS)
  const memory = residentMB(operator.process.pid ?? 0)
  const where = `${count.toLocaleString('en')} finished tasks`
  return [
    { name: `operator: start → Job of a new task, ${where}`, unit: 'ms', ours, aim: { atMost: 1500 } },
    { name: '… resident memory 20 s later', unit: 'MB', ours: memory, aim: { atMost: 150 } },
    ...(writes === undefined
      ? []
      : [
          {
            name: '… updates then, those of the new task included',
            unit: '',
            ours: writes,
            // Those of one new task, and none for the finished.
            aim: { atMost: 10 },
          },
        ]),
  ]
}

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}-${n}`)
}

function percentile99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
}
