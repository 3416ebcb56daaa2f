import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Task } from '../../core/crd/types.ts'
import { AGENTS, EXECUTIONS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { anAgent, anExecution, aProject, aTask, NAMESPACE } from '../helpers/build.ts'
import { keepRoom } from '../../operator/room.ts'
import { type World, openWorld, readGiven, runSpecOf } from './world.ts'

const ID = '01a22089-2b8e-7a51-904c-d7d48494d8aa'
const QUEUED = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
const DAY_MS = 86_400_000

describe('a task that goes on from accepted work', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    for (const adapter of ['claude', 'gemini'] as const)
      world.kube.put(AGENTS, anAgent({ name: adapter, spec: { adapter, credentials: {} } }))
    for (const name of ['shop', 'site']) world.kube.put(PROJECTS, aProject({ name, spec: { remoteUrl: '/srv/shop' } }))
    const delivery = { kind: 'Merge', state: 'Delivered', commit: 'c0ffee' } as const
    const status = { state: 'COMPLETED', executions: 1, summary: 'Made a header', delivery } as const
    put(aTask({ name: 'done', spec: { title: 'The header', project: 'shop' }, status }))
    const own = { taskRef: { name: 'done' }, purpose: 'Run' as const, agent: 'claude' }
    world.kube.put(
      EXECUTIONS,
      anExecution({ name: 'done-1', spec: own, status: { state: 'COMPLETED', sessionId: ID } }),
    )
    write(
      'sandboxes/done.owner',
      JSON.stringify({ uid: world.task('done').metadata.uid, namespace: NAMESPACE, name: 'done' }),
    )
    const owner = { uid: 'uid-done-1', namespace: NAMESPACE, name: 'done-1', task: world.task('done').metadata.uid }
    write('executions/done-1/owner', JSON.stringify({ ...owner, place: 'project shop' }))
    write(`sandboxes/done/home/.claude/projects/-x/${ID}.jsonl`, 'said')
    await world.sweep()
  })
  afterEach(() => world.close())

  const put = (task: Task): void => void world.kube.put(TASKS, task)
  const at = (path: string): string => join(world.volumeRoot, path)
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), content)
  }
  const kept = 'executions/done-1/session.claude.jsonl'
  const start = async (spec: object = {}, agent = 'claude') => {
    put(
      aTask({
        name: 'more',
        spec: { title: 'The footer', project: 'shop', continues: 'done', agent: { type: agent }, ...spec },
        status: QUEUED,
      }),
    )
    await world.sync('more')
    const job = world.job('more-1-run')
    assert.ok(job, JSON.stringify(world.execution('more-1')))
    return { run: runSpecOf(job), given: await readGiven(world, 'more-1') }
  }

  it('begins with a copy of the session, which outlived the workspace', async () => {
    assert.deepEqual([existsSync(at('sandboxes/done')), readFileSync(at(kept), 'utf8')], [false, 'said'])
    const { run, given } = await start()
    assert.deepEqual([run.continues, run.agent.sessionId, run.keepClone], [{ task: 'done' }, ID, false])
    assert.equal(readFileSync(at('executions/more-1/continued.jsonl'), 'utf8'), 'said')
    assert.match(given.resume, /# The footer[^]*you did the task “The header”.*merged as c0ffee/)
    assert.doesNotMatch(given.resume, /Made a header/)
    assert.match(
      given.prompt ?? '',
      /goes on from it: “The header”[^]*Made a header/,
      'should the program have lost it',
    )
  })

  it('hears its own text where the first run never came to its agent', async () => {
    const { run } = await start({ maxAttempts: 3 })
    assert.equal(run.agent.sessionId, ID)
    await world.endJob('more-1-run', { result: 'none' })
    await world.sync('more')
    const task = world.task('more')
    put({ ...task, status: { ...task.status, ...QUEUED, resume: true } })
    await world.sync('more')
    assert.equal(runSpecOf(world.job('more-2-run')).agent.sessionId, undefined)
    assert.match((await readGiven(world, 'more-2')).prompt ?? '', /The footer/)
  })

  it('is told what was done by another program, and says why', async () => {
    const { run, given } = await start({}, 'gemini')
    assert.equal(run.agent.sessionId, undefined)
    assert.match(run.continues?.told ?? '', /adapter gemini/)
    assert.match(given.prompt ?? '', /Made a header/)
    assert.ok(!existsSync(at('executions/more-1/continued.jsonl')))
  })

  it('gets nothing of a task of another project', async () => {
    const { run, given } = await start({ project: 'site' })
    assert.equal(run.agent.sessionId, undefined)
    assert.match(run.continues?.told ?? '', /belongs to project shop/)
    assert.doesNotMatch(given.prompt ?? '', /Made a header|The header/)
    assert.ok(!existsSync(at('executions/more-1/continued.jsonl')))
  })

  it('gets no session that was made for another project, wherever the task is by now', async () => {
    const done = world.task('done')
    put({ ...done, spec: { ...done.spec, project: 'site' } })
    const { run } = await start({ project: 'site' })
    assert.equal(run.agent.sessionId, undefined)
    assert.match(run.continues?.told ?? '', /worked for another place/)
    assert.ok(!existsSync(at('executions/more-1/continued.jsonl')))
  })

  it('has in its record whether it began with a copy of the session, or why not', async () => {
    await start()
    assert.deepEqual(world.execution('more-1')?.continued, { task: 'done' })
    await world.endJob('more-1-run', { outcome: { sessionId: ID }, result: { sessionId: ID } })
    await world.sync('more')
    assert.deepEqual(world.execution('more-1')?.continued, { task: 'done' })
  })

  it('has in its record that it was told what was done, and why', async () => {
    const { run } = await start({}, 'gemini')
    assert.deepEqual(world.execution('more-1')?.continued, { task: 'done', told: run.continues?.told })
  })

  it('has in its record that its program did not find the copy', async () => {
    await start()
    await world.endJob('more-1-run', { outcome: { sessionId: 'another' }, result: { sessionId: 'another' } })
    await world.sync('more')
    assert.deepEqual(world.execution('more-1')?.continued, {
      task: 'done',
      told: 'its program did not find the copy of the session',
    })
  })

  it('leaves no copy behind when it ends before a step has taken it', async () => {
    await start()
    assert.ok(existsSync(at('executions/more-1/continued.jsonl')))
    await world.endJob('more-1-run', { result: { outcome: 'failed', error: { category: 'git', message: 'refused' } } })
    await world.sync('more')
    assert.equal(world.execution('more-1')?.state, 'FAILED')
    assert.ok(!existsSync(at('executions/more-1/continued.jsonl')))
  })

  it('is told so when the task is gone', async () => {
    const { run } = await start({ continues: 'nobody' })
    assert.match(run.continues?.told ?? '', /not there any more/)
  })

  it('finds no session that was kept longer than a review may take', async () => {
    const { context, volumeRoot, clock } = world
    const { events, logger } = context
    const none = {
      mirrorBytes: Infinity,
      workspaceBytes: Infinity,
      environmentBytes: Infinity,
      environmentMs: Infinity,
    }
    const keep = (now: Date) =>
      keepRoom(
        {
          served: [{ namespace: NAMESPACE, context }],
          volumeRoot,
          clock,
          events,
          logger,
          room: { ...none, reviewMs: 14 * DAY_MS },
          ended: new AbortController().signal,
        },
        now,
      )
    await keep(new Date(Date.now() + 13 * DAY_MS))
    assert.ok(existsSync(at(kept)))
    await keep(new Date(Date.now() + 15 * DAY_MS))
    assert.ok(!existsSync(at(kept)))
    assert.match((await start()).run.continues?.told ?? '', /no session of claude is kept/)
  })

  it('leaves no session behind when the accepted task is deleted', async () => {
    await world.kube.delete(TASKS, { namespace: NAMESPACE, name: 'done' })
    await world.kube.delete(EXECUTIONS, { namespace: NAMESPACE, name: 'done-1' })
    await world.sweep()
    assert.ok(!existsSync(at(dirname(kept))))
  })
})
