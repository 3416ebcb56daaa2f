import assert from 'node:assert/strict'
import { decideTask, NO_SURROUNDINGS } from '../../core/task/decide.ts'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { aTask, anAgent, text } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const FAILURE = { outcome: 'failed', pushed: false, error: { category: 'failed', message: 'exit 1' } } as const

describe('a decision by annotation', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  const given = (parts: Parameters<typeof aTask>[0]) => world.kube.put(TASKS, aTask(parts))
  const annotate = (name: string, annotations: Record<string, string>) => {
    const task = world.task(name)
    world.kube.put(TASKS, { ...task, metadata: { ...task.metadata, annotations } })
  }

  it("is refused in the contract's words, with an Event, and removed", async () => {
    given({})
    annotate('task-a', { 'slipway.dev/action': 'accept' })
    await world.sync()
    const message = 'task cannot be accepted from state PENDING'
    assert.equal(world.task().status?.lastAction?.refused, message)
    assert.deepEqual(
      world.events.map((event) => [event.type, event.reason, event.message]),
      [['Warning', 'ActionRefused', message]],
    )
    assert.equal(world.task().metadata.annotations?.['slipway.dev/action'], undefined)
  })

  it('waives red checks with its comment as the reason, and not without one', async () => {
    const error = { category: 'checks', message: text('check test is red') } as const
    given({ status: { state: 'FAILED', error } })
    annotate('task-a', { 'slipway.dev/action': 'waive' })
    await world.sync()
    assert.deepEqual(
      [world.task().status?.state, world.task().status?.lastAction?.refused],
      ['FAILED', 'reason must not be empty'],
    )
    annotate('task-a', { 'slipway.dev/action': 'waive', 'slipway.dev/comment': 'tried by hand' })
    await world.sync()
    const { checksWaived, decisions } = world.task().status ?? {}
    assert.deepEqual([checksWaived?.by, checksWaived?.reason], ['kubectl (annotation)', 'tried by hand'])
    assert.deepEqual(
      decisions?.map(({ action, comment }) => [action, comment]),
      [['waive', 'tried by hand']],
    )
  })

  for (const [by, author, refused] of [
    ['bob', 'alice', undefined],
    ['alice', 'alice', 'task cannot be accepted: alice authored task task-a; have somebody else accept it'],
    [undefined, 'alice', /kubectl \(annotation\) is nobody's own name; .*add slipway.dev\/by/],
    ['bob', undefined, /nobody is known to have authored task task-a/],
  ] as const)
    it(`is ${refused === undefined ? 'taken' : 'refused'} where four eyes are asked for, by ${by} of the work of ${author}`, async () => {
      const proven = await openWorld({ admissionPolicies: true, fourEyes: true })
      proven.given({ status: { state: 'READY' } })
      proven.annotate('task-a', {
        'slipway.dev/action': 'accept',
        ...(by && { 'slipway.dev/by': by }),
        ...(author && { 'slipway.dev/author': author }),
      })
      await proven.sync()
      await proven.close()
      const { state, lastAction } = proven.task().status ?? {}
      assert.equal(state, refused === undefined ? 'COMPLETED' : 'READY')
      if (refused === undefined) return
      assert.match(lastAction?.refused ?? '', typeof refused === 'string' ? new RegExp(`^${refused}$`) : refused)
      assert.deepEqual(
        proven.events.map(({ reason }) => reason),
        ['ActionRefused'],
      )
    })

  for (const [what, name, by] of [
    ['the name', 'alice', 'alice'],
    ['the name of a service account', 'system:serviceaccount:flux-system:a', 'system:serviceaccount:flux-system:a'],
    ['no name', undefined, 'kubectl (annotation)'],
    ['a name that is no line', 'alice\nbob', 'kubectl (annotation)'],
    ['a name that reads as another', 'a\u202elice', 'kubectl (annotation)'],
    ['the name of a token', 'api', 'kubectl (annotation)'],
  ] as const) {
    it(`is recorded as ${JSON.stringify(by)} for ${what} in slipway.dev/by, where policies prove it`, async () => {
      const proven = await openWorld({ admissionPolicies: true })
      proven.given({ status: { state: 'READY' } })
      proven.annotate('task-a', { 'slipway.dev/action': 'accept', ...(name && { 'slipway.dev/by': name }) })
      await proven.sync()
      await proven.close()
      assert.equal(proven.task().status?.decisions?.[0]?.by, by)
      assert.ok(proven.events.some(({ message }) => message === `task accepted by ${by}`))
      assert.deepEqual(proven.task().metadata.annotations, {})
    })
  }

  it('cuts a name that is longer than a status holds, and two that are cut stay two', async () => {
    const proven = await openWorld({ admissionPolicies: true })
    const names = ['1', '2'].map((end) => `${'x'.repeat(100_000)}${end}`)
    for (const [index, name] of names.entries()) {
      proven.given({ name: `task-${index}`, status: { state: 'READY' } })
      proven.annotate(`task-${index}`, { 'slipway.dev/action': 'accept', 'slipway.dev/by': name })
    }
    await proven.sync()
    await proven.close()
    const [first, second] = names.map((_, index) => proven.task(`task-${index}`).status?.decisions?.[0]?.by)
    assert.deepEqual([first?.length, second?.length], [200, 200])
    assert.notEqual(first, second)
  })

  it('does not believe a name that nothing proves, and removes it all the same', async () => {
    given({ status: { state: 'READY' } })
    annotate('task-a', { 'slipway.dev/action': 'accept', 'slipway.dev/by': 'alice' })
    await world.sync()
    assert.equal(world.task().status?.decisions?.[0]?.by, 'kubectl (annotation)')
    assert.deepEqual(world.task().metadata.annotations, {})
  })

  it('with an id is taken once and its annotations stay where they are, whatever happens to the task', async () => {
    const run = { 'slipway.dev/action': 'run', 'slipway.dev/action-id': 'x1', 'slipway.dev/agent': 'script' }
    given({})
    annotate('task-a', run)
    await world.sync()
    await world.endJob('task-a-1-run', { result: FAILURE })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().metadata.annotations], ['FAILED', run])
    // Run by a person, which forgets what the last run left behind.
    const outcome = decideTask(world.task(), { action: 'run', by: 'ada', at: world.clock.now() }, NO_SURROUNDINGS)
    assert.ok(outcome.kind === 'allowed')
    world.kube.put(TASKS, { ...world.task(), status: outcome.status })
    await world.sync()
    await world.endJob('task-a-2-run', { result: FAILURE })
    await world.sync()
    assert.deepEqual([world.task().status?.state, world.task().status?.executions], ['FAILED', 2])
    annotate('task-a', { ...run, 'slipway.dev/action-id': 'x2' })
    await world.sync()
    assert.equal(world.task().status?.executions, 3)
  })

  it('is not taken again that an older manifest brings back, nor one that was refused', async () => {
    given({})
    for (const id of ['x1', 'x2']) {
      annotate('task-a', { 'slipway.dev/action': 'accept', 'slipway.dev/action-id': id })
      await world.sync()
    }
    annotate('task-a', { 'slipway.dev/action': 'cancel', 'slipway.dev/action-id': 'x1' })
    await world.sync()
    assert.equal(world.task().status?.state, 'CANCELLED', 'an id counts for its action alone')
    const seen = [world.events.length, world.task().status]
    annotate('task-a', { 'slipway.dev/action': 'accept', 'slipway.dev/action-id': 'x1' })
    await world.sync()
    assert.deepEqual([world.events.length, world.task().status], seen)
  })

  it('is remembered by an id of any length, also where an earlier version has taken it', async () => {
    const id = 'x'.repeat(100_000)
    given({ status: { state: 'FAILED', lastAction: { action: 'run', id: 'old', at: '2026-01-01T00:00:00Z' } } })
    annotate('task-a', { 'slipway.dev/action': 'run', 'slipway.dev/action-id': 'old' })
    await world.sync()
    assert.equal(world.task().status?.state, 'FAILED')
    annotate('task-a', { 'slipway.dev/action': 'accept', 'slipway.dev/action-id': id })
    await world.sync()
    annotate('task-a', { 'slipway.dev/action': 'accept', 'slipway.dev/action-id': `${id}y` })
    await world.sync()
    assert.equal(world.events.filter(({ reason }) => reason === 'ActionRefused').length, 2)
  })
})
