import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { ErrorCategory, TaskState } from '../../core/crd/types.ts'
import { executionPath, givenFile } from '../../core/execution/layout.ts'
import { type TaskDecision, decideTask, NO_SURROUNDINGS, stateOf } from '../../core/task/decide.ts'
import { checkOut, handBack } from '../../core/task/take-over.ts'
import type { Job } from '../../kube/builtin.ts'
import { AGENTS, EXECUTIONS, JOBS, LEASES, PODS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { hasPodEnded, isJobFinished, isOfJob } from '../../kube/workload.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { readExecutionOwner, readSandboxOwner } from '../../operator/volume.ts'
import { aProject, aTask, anAgent, anExecution, NAMESPACE } from '../helpers/build.ts'
import { type JobEnd, type World, openWorld, runSpecOf } from './world.ts'
import { runs } from '../helpers/runs.ts'

/** kill -9: whatever the operator knew is gone, what it wrote is not. */
class Killed extends Error {}

/** What happens to the task from outside, each time once the operator has nothing more to do. */
type Happening =
  | { readonly kind: 'end'; readonly job: string; readonly end?: JobEnd }
  | { readonly kind: 'decide'; readonly decision: Partial<TaskDecision> }
  /** Checked out by a person, who hands it back: as it is, or with a comment for its agent. */
  | { readonly kind: 'takeOver'; readonly comment?: string }
  | { readonly kind: 'delete' }

interface Life {
  readonly title: string
  /** Auto: its run policy queues it, so that it is queued and starts in one; absent: somebody has queued it. */
  readonly runPolicy?: 'Auto'
  /** Goes on from accepted work, of which the session was kept. */
  readonly continues?: true
  readonly course: readonly Happening[]
  /** Undefined: it is gone. */
  readonly ends: TaskState | undefined
  readonly jobs: readonly string[]
}

const SESSION = '01a22089-2b8e-7a51-904c-d7d48494d8aa'
const FIRST = 'task-a-1-run'
const SECOND = 'task-a-2-run'

const end = (job: string, how: JobEnd = {}): Happening => ({ kind: 'end', job, end: how })
const decided = (decision: Partial<TaskDecision>): Happening => ({ kind: 'decide', decision })
const failure = (category: ErrorCategory): JobEnd => ({
  result: { outcome: 'failed', pushed: false, error: { category, message: 'no' } },
})
/** The agent was done, and a check of its work is red. */
const red: JobEnd = { outcome: {}, ...failure('checks') }

const LIVES: readonly Life[] = [
  { title: 'succeeds', course: [end(FIRST)], ends: 'READY', jobs: [FIRST] },
  { title: 'fails', course: [end(FIRST, failure('failed'))], ends: 'FAILED', jobs: [FIRST] },
  {
    title: 'loses its pod while it delivers',
    course: [end(FIRST, { result: 'none', outcome: {} }), end('task-a-1-run-2')],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2'],
  },
  {
    title: 'cannot log in at first',
    course: [end(FIRST, failure('auth')), end('task-a-1-run-2')],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2'],
  },
  {
    title: 'is red, and green in the second round',
    course: [end(FIRST, red), end('task-a-1-run-2', { outcome: {} })],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2'],
  },
  {
    title: 'is red in each round, waived and delivered',
    course: [
      end(FIRST, red),
      end('task-a-1-run-2', red),
      end('task-a-1-run-3', red),
      decided({ action: 'waive', comment: 'the check is wrong' }),
      end(SECOND),
    ],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2', 'task-a-1-run-3', SECOND],
  },
  {
    title: 'is revised twice and accepted',
    course: [
      end(FIRST),
      decided({ action: 'revise', comment: 'also this' }),
      end(SECOND),
      decided({ action: 'revise', comment: 'and that' }),
      end('task-a-3-run'),
      decided({ action: 'accept' }),
    ],
    ends: 'COMPLETED',
    jobs: [FIRST, SECOND, 'task-a-3-run'],
  },
  {
    title: 'is checked out and handed back, once for review and once to its agent',
    course: [
      end(FIRST),
      { kind: 'takeOver' },
      end(SECOND),
      { kind: 'takeOver', comment: 'go on from here' },
      end('task-a-3-run'),
    ],
    ends: 'READY',
    jobs: [FIRST, SECOND, 'task-a-3-run'],
  },
  {
    title: 'asks, is answered and succeeds',
    course: [
      end(FIRST, { result: { outcome: 'blocked', pushed: false, questions: [{ text: 'Which?' }] } }),
      decided({ action: 'answer', answer: 'that one' }),
      end(SECOND),
    ],
    ends: 'READY',
    jobs: [FIRST, SECOND],
  },
  {
    title: 'fails, is run again and accepted',
    course: [end(FIRST, failure('git')), decided({ action: 'run' }), end(SECOND), decided({ action: 'accept' })],
    ends: 'COMPLETED',
    jobs: [FIRST, SECOND],
  },
  {
    title: 'goes on from accepted work, and loses its pod',
    continues: true,
    course: [end(FIRST, { result: 'none' }), end('task-a-1-run-2', { outcome: { sessionId: SESSION } })],
    ends: 'READY',
    jobs: [FIRST, 'task-a-1-run-2'],
  },
  { title: 'is cancelled while it runs', course: [decided({ action: 'cancel' })], ends: 'CANCELLED', jobs: [] },
  {
    title: 'is cancelled, resumed and succeeds',
    course: [decided({ action: 'cancel' }), decided({ action: 'resume' }), end(SECOND)],
    ends: 'READY',
    jobs: [SECOND],
  },
  { title: 'is deleted while it runs', course: [{ kind: 'delete' }], ends: undefined, jobs: [] },
  { title: 'starts by itself and succeeds', runPolicy: 'Auto', course: [end(FIRST)], ends: 'READY', jobs: [FIRST] },
  {
    title: 'starts by itself and is cancelled while it runs',
    runPolicy: 'Auto',
    course: [decided({ action: 'cancel' })],
    ends: 'CANCELLED',
    jobs: [],
  },
  { title: 'is deleted when it is done', course: [end(FIRST), { kind: 'delete' }], ends: undefined, jobs: [FIRST] },
]

describe('an operator that is killed', () => {
  for (const life of LIVES) {
    for (const moment of ['before', 'after'] as const) {
      it(`${moment} any one write loses nothing and starts nothing twice in the life of a task that ${life.title}`, async () => {
        const writes = await live(life, () => undefined)
        for (let n = 1; n <= writes; n++) {
          await live(life, (count, at) => {
            if (count === n && at === moment) throw new Killed(`${moment} write ${n}`)
          })
        }
      })
    }
  }

  it('comes to the same end however often it is killed', async () => {
    const deaths = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('before', 'after')), {
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...LIVES), deaths, async (life, killings) => {
        await live(life, (count, at) => {
          if (killings.some(([n, moment]) => n === count && moment === at)) throw new Killed()
        })
      }),
      { numRuns: runs(60) },
    )
  })
})

describe('a task that is cancelled between any two writes of its start', () => {
  for (const runPolicy of [undefined, 'Auto'] as const) {
    it(`gives its slot back, and the next task gets it; run policy ${runPolicy ?? 'Manual'}`, async () => {
      const writes = await startBeside(runPolicy, () => undefined)
      for (let n = 1; n <= writes; n++) await startBeside(runPolicy, (count) => count === n)
    })
  }
})

/** Starts task-a, which is cancelled before the write that `isMoment` picks, with task-b behind it in the line. */
async function startBeside(runPolicy: Life['runPolicy'], isMoment: (count: number) => boolean | void): Promise<number> {
  const world = await openWorld()
  try {
    givenTasks(world, runPolicy, 'task-a', 'task-b')
    let count = 0
    let wasCancelled = false
    world.kube.onWrite = (at) => {
      if (at === 'before') count += 1
      if (at === 'before' && isMoment(count) === true && !wasCancelled) {
        wasCancelled = true
        decide(world, 'task-a', { action: 'cancel' })
      }
      assertExclusive(world)
    }
    await world.sync()
    const writes = count
    const { state, cancelRequestedAt } = world.task('task-a').status ?? {}
    if (state === 'RUNNING' && cancelRequestedAt !== undefined) await world.endJob(FIRST, { result: 'none' })
    await world.sync()
    if (wasCancelled) {
      assert.equal(world.task('task-a').status?.state, 'CANCELLED')
      assert.equal(world.holderOf('slipway-slot-script-1'), 'task-b-1')
      assert.equal(world.task('task-b').status?.state, 'RUNNING')
    }
    return writes
  } finally {
    await world.close()
  }
}

/** One life from QUEUED to its end, with `hook` called around each write; returns the number of writes. */
async function live(life: Life, hook: (count: number, at: 'before' | 'after') => void): Promise<number> {
  const world = await openWorld({ allowUnsandboxed: true })
  try {
    await givenLife(world, life)
    let count = 0
    world.kube.onWrite = (at) => {
      if (at === 'before') count += 1
      assertExclusive(world)
      hook(count, at)
    }
    const { run } = world.context.volume
    world.context.volume.run = async (piece, work, how) => {
      count += 1
      const mine = count
      hook(mine, 'before')
      const done = await run(piece, work, how)
      hook(mine, 'after')
      return done
    }
    await sync(world)
    for (const happening of life.course) {
      await happen(world, happening)
      await sync(world)
    }
    const left = world.kube
      .all(TASKS)
      .filter(({ metadata }) => metadata.name === 'task-a')
      .map(stateOf)
    assert.deepEqual(left, life.ends === undefined ? [] : [life.ends])
    assert.deepEqual(
      world.kube
        .all(JOBS)
        .map(({ metadata }) => metadata.name)
        .sort(),
      life.jobs,
    )
    for (const job of life.ends === undefined ? [] : world.kube.all(JOBS)) await assertGiven(world, job)
    if (life.continues) assert.deepEqual(world.execution('task-a-1')?.continued, { task: 'done' })
    assert.deepEqual(
      world.kube.all(LEASES).flatMap(({ spec }) => spec?.holderIdentity || []),
      [],
    )
    const counted = world.kube
      .all(AGENTS)
      .flatMap(({ status }) => status?.outcomes?.map(({ execution }) => execution) ?? [])
    assert.equal(new Set(counted).size, counted.length)
    return count
  } finally {
    await world.close()
  }
}

/** Each pod finds what its agent is given, and the folders are their owners'. */
async function assertGiven(world: World, job: Job): Promise<void> {
  const { execution, given = '' } = runSpecOf(job)
  const text = await readFile(join(world.volumeRoot, executionPath(execution), givenFile(given)))
  assert.equal(createHash('sha256').update(text).digest('hex'), given)
  const owned = world.kube.all(EXECUTIONS).find(({ metadata }) => metadata.name === execution)
  assert.equal((await readExecutionOwner(world.volumeRoot, execution))?.uid, owned?.metadata.uid)
  assert.equal((await readSandboxOwner(world.volumeRoot, 'task-a'))?.uid, world.task().metadata.uid)
}

async function happen(world: World, happening: Happening): Promise<void> {
  switch (happening.kind) {
    case 'end':
      return world.endJob(happening.job, happening.end)
    case 'decide':
      return decide(world, 'task-a', happening.decision)
    case 'takeOver':
      return takeOver(world, happening.comment)
    case 'delete': {
      const task = world.task()
      const deletionTimestamp = world.clock.now().toISOString()
      world.kube.put(TASKS, { ...task, metadata: { ...task.metadata, deletionTimestamp } })
      return
    }
    default:
      return happening satisfies never
  }
}

/** A killed operator is started again, and finds what is stored. */
async function sync(world: World): Promise<void> {
  for (;;) {
    try {
      // By name: the slot of a task that is gone brings its key back too.
      await world.sync('task-a')
      return
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }
}

function givenTasks(world: World, runPolicy: Life['runPolicy'], ...names: string[]): void {
  world.kube.put(AGENTS, anAgent())
  const queued = { status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } } as const
  for (const name of names) {
    world.kube.put(TASKS, aTask({ name, ...(runPolicy === undefined ? queued : { spec: { runPolicy } }) }))
  }
}

/** What is there before a life begins. */
async function givenLife(world: World, { runPolicy, continues }: Life): Promise<void> {
  if (!continues) return givenTasks(world, runPolicy, 'task-a')
  world.kube.put(AGENTS, anAgent({ spec: { adapter: 'claude', credentials: {} } }))
  world.kube.put(PROJECTS, aProject({ name: 'shop', spec: { remoteUrl: '/srv/shop' } }))
  const delivery = { kind: 'Merge', state: 'Delivered', commit: 'c0ffee' } as const
  const done = aTask({
    name: 'done',
    spec: { title: 'Done', project: 'shop' },
    status: { state: 'COMPLETED', executions: 1, delivery },
  })
  const { uid } = world.kube.put(TASKS, done).metadata
  const own = { taskRef: { name: 'done' }, purpose: 'Run', agent: 'script' } as const
  const status = { state: 'COMPLETED', sessionId: SESSION } as const
  const { metadata } = world.kube.put(EXECUTIONS, anExecution({ name: 'done-1', spec: own, status }))
  const folder = join(world.volumeRoot, executionPath('done-1'))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'session.claude.jsonl'), 'said')
  const owner = { uid: metadata.uid, namespace: NAMESPACE, name: 'done-1', task: uid, place: 'project shop' }
  await writeFile(join(folder, 'owner'), JSON.stringify(owner))
  const spec = { title: 'More', project: 'shop', continues: 'done', agent: { type: 'script' } }
  world.kube.put(TASKS, aTask({ name: 'task-a', spec, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
}

/** As the API server does: decided and written in one go. */
function decide(world: World, name: string, decision: Partial<TaskDecision>): void {
  const task = world.task(name)
  const outcome = decideTask(task, { action: 'run', by: 'test', at: world.clock.now(), ...decision }, NO_SURROUNDINGS)
  if (outcome.kind === 'allowed') world.kube.put(TASKS, { ...task, status: outcome.status })
}

/** The same for a person who takes the work, and hands it back with commits of their own. */
function takeOver(world: World, comment: string | undefined): void {
  const [by, at] = ['ada', world.clock.now()]
  const taken = checkOut(world.task(), { by, at })
  if (taken.kind !== 'allowed') assert.fail(taken.kind)
  const task = world.kube.put(TASKS, { ...world.task(), status: taken.status })
  const back = handBack(task, { by, at, comment, head: 'b'.repeat(40) }, undefined)
  if (back.kind !== 'allowed') assert.fail(back.kind)
  world.kube.put(TASKS, { ...task, status: back.status })
}

/** One slot: at no time can the pods of two Jobs run. */
function assertExclusive(world: World): void {
  const pods = world.kube.all(PODS)
  const live = world.kube.all(JOBS).filter((job) => {
    const own = pods.filter((pod) => isOfJob(pod, job.metadata.name))
    return !isJobFinished(job) && !(own.length > 0 && own.every(hasPodEnded))
  })
  assert.ok(live.length <= 1, `jobs at the same time: ${live.map(({ metadata }) => metadata.name).join(', ')}`)
}

describe('an operator that has lost its leadership', () => {
  it('writes nothing any more, and leaves the rest to the next one', async () => {
    const world = await openWorld()
    try {
      givenTasks(world, undefined, 'task-a')
      const lost = new AbortController()
      world.kube.onWrite = (at, write) => {
        if (at === 'after' && write.startsWith('create Execution')) lost.abort()
        assert.ok(at === 'after' || !lost.signal.aborted, `${write} after the loss`)
      }
      const key = { namespace: NAMESPACE, name: 'task-a' }
      await assert.rejects(syncTask(world.context, key, lost.signal), { name: 'AbortError' })
      assert.equal(stateOf(world.task()), 'QUEUED')
      world.kube.onWrite = () => undefined
      await world.sync()
      assert.deepEqual([stateOf(world.task()), world.task().status?.execution], ['RUNNING', 'task-a-1'])
    } finally {
      await world.close()
    }
  })
})
