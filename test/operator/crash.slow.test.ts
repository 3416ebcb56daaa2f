import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { clonePath, executionPath, givenFile, sandboxPath } from '../../core/execution/layout.ts'
import { type TaskDecision, decideTask, NO_SURROUNDINGS, stateOf } from '../../core/task/decide.ts'
import { checkOut, handBack } from '../../core/task/take-over.ts'
import type { Job } from '../../kube/builtin.ts'
import { AGENTS, EXECUTIONS, JOBS, LEASES, PODS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { hasPodEnded, isJobFinished, isOfJob } from '../../kube/workload.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { readExecutionOwner, readSandboxOwner } from '../../operator/volume.ts'
import { aProject, aTask, anAgent, anExecution, NAMESPACE } from '../helpers/build.ts'
import { type Happening, type Life, FIRST, LIVES, SESSION } from './lives.ts'
import { type World, openWorld, runSpecOf } from './world.ts'
import { runs } from '../helpers/runs.ts'

/** kill -9: whatever the operator knew is gone, what it wrote is not. */
class Killed extends Error {}

describe('an operator that is killed', () => {
  for (const life of LIVES) {
    for (const moment of ['before', 'after'] as const) {
      it(`${moment} any one write loses nothing and starts nothing twice in the life of a task that ${life.title}`, async () => {
        const { writes, ran } = await live(life, () => undefined)
        for (let n = 1; n <= writes; n++) {
          const killed = await live(life, (count, at) => {
            if (count === n && at === moment) throw new Killed(`${moment} write ${n}`)
          })
          assert.deepEqual(killed.ran, ran, `killed ${moment} write ${n}`)
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

/** One life from QUEUED to its end, with `hook` called around each write; returns their number, and how its Jobs went on. */
async function live(life: Life, hook: (count: number, at: 'before' | 'after') => void) {
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
    const ran = world.kube.all(JOBS).map((job) => {
      const { keepClone, deliverOnly, agent } = runSpecOf(job)
      return { job: job.metadata.name, keepClone, deliverOnly, sessionId: agent.sessionId }
    })
    return { writes: count, ran }
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
      await world.endJob(happening.job, happening.end)
      if (happening.losesClone) await rm(join(world.volumeRoot, sandboxPath('task-a')), { recursive: true })
      return
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
    } finally {
      await prepareClone(world)
    }
  }
}

/** What runs goes on, also while nobody leads. */
async function prepareClone(world: World): Promise<void> {
  const open = world.kube.all(JOBS).some((job) => !isJobFinished(job))
  if (open) await mkdir(join(world.volumeRoot, clonePath('task-a'), '.git'), { recursive: true })
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
