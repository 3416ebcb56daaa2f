import assert from 'node:assert/strict'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentMessage, Execution } from '../../core/crd/types.ts'
import { EXECUTION_FILES, executionPath, inboxFile } from '../../core/execution/layout.ts'
import { say } from '../../core/execution/say.ts'
import { asRecord } from '../../core/json.ts'
import { omit } from '../../core/omit.ts'
import { AGENTS, EXECUTIONS, PODS } from '../../kube/resources.ts'
import { KubeError } from '../../kube/types.ts'
import { anAgent, aPod, NAMESPACE } from '../helpers/build.ts'
import { syncTask } from '../../operator/task/sync.ts'
import { type World, openWorld, readGiven, runSpecOf } from './world.ts'

const AUTHOR = { annotations: { 'slipway.dev/author': 'olga' } }

describe('messages to a running agent', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true, admissionPolicies: true, fourEyes: true })
    world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials: {} } }))
    const spec = { agent: { type: 'claude' } }
    world.given({ metadata: AUTHOR, spec, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
    await world.sync()
  })
  afterEach(() => world.close())

  const find = (name = 'task-a-1'): Execution => {
    const found = world.kube.all(EXECUTIONS).find(({ metadata }) => metadata.name === name)
    assert.ok(found)
    return found
  }
  /** As the API server does it. */
  const tell = async (id: string, by = 'ada', text = `do ${id}`): Promise<void> => {
    const execution = find(world.task().status?.execution)
    const agent = world.kube.all(AGENTS)[0]
    const outcome = say({ task: world.task(), execution, agent }, { id, by, at: world.clock.now(), text })
    assert.ok(outcome.kind === 'allowed')
    await world.kube.replaceStatus(EXECUTIONS, { ...execution, status: outcome.status })
  }
  const fileOf = (path: string, execution = 'task-a-1'): string =>
    join(world.volumeRoot, executionPath(execution), path)
  const inboxOf = async (id: string): Promise<unknown> =>
    readFile(fileOf(inboxFile(id)), 'utf8').then(
      (text) => JSON.parse(text) as unknown,
      () => undefined,
    )
  const receipts = async (...lines: (readonly [id: string, state: string] | string)[]): Promise<void> => {
    await mkdir(fileOf('agent'), { recursive: true })
    const at = world.clock.now().toISOString()
    const text = lines.map((line) =>
      typeof line === 'string' ? line : JSON.stringify({ id: line[0], state: line[1], at }),
    )
    await writeFile(fileOf(EXECUTION_FILES.receipts), text.map((line) => `${line}\n`).join(''))
  }
  const told = (execution = 'task-a-1'): readonly (readonly [string, 'given' | 'uncertain' | 'waits'])[] =>
    (find(execution).status?.messages ?? []).map(({ id, deliveredAt, uncertain }: AgentMessage) => [
      id,
      deliveredAt !== undefined ? 'given' : uncertain === true ? 'uncertain' : 'waits',
    ])

  it('lie whole in its inbox, which its step alone sees, and cannot change', async () => {
    const job = world.job('task-a-1-run')
    assert.equal(runSpecOf(job).hasInbox, true)
    const { initContainers = [] } = job?.spec.template.spec ?? {}
    const inbox = initContainers.flatMap(({ name, volumeMounts = [] }) =>
      volumeMounts
        .filter(({ subPath }) => subPath === 'executions/task-a-1/inbox')
        .map(({ readOnly }) => [name, readOnly]),
    )
    assert.deepEqual(inbox, [['agent', true]])
    await tell('message1')
    await world.sync()
    const { at } = find().status?.messages?.[0] ?? {}
    assert.deepEqual(await inboxOf('message1'), {
      schemaVersion: 1,
      id: 'message1',
      by: 'ada',
      at,
      mode: 'Steer',
      text: 'do message1',
    })
  })

  it('come into no inbox of a script', async () => {
    world.kube.put(AGENTS, anAgent())
    world.given({ name: 'script', status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } })
    await world.sync('script')
    const job = world.job('script-1-run')
    assert.equal(runSpecOf(job).hasInbox, undefined)
    assert.doesNotMatch(JSON.stringify(job), /inbox/)
  })

  it('are looked after only while one waits', async () => {
    const look = async () => (await syncTask(world.context, { namespace: NAMESPACE, name: 'task-a' }))?.getTime()
    const before = await look()
    await tell('message1')
    const after = (await look()) ?? 0
    assert.ok(after - world.clock.now().getTime() <= 250, 'soon')
    await receipts(['message1', 'giving'], ['message1', 'given'])
    assert.equal(await look(), before)
  })

  it('are given when their receipt says so, and not before', async () => {
    await tell('message1')
    await tell('message2')
    await receipts(['message1', 'giving'], ['message1', 'given'], ['message2', 'giving'])
    await world.sync()
    assert.deepEqual(told(), [
      ['message1', 'given'],
      ['message2', 'waits'],
    ])
    const [given] = find().status?.messages ?? []
    assert.equal(Date.parse(given?.deliveredAt ?? ''), world.clock.now().getTime())
  })

  it('whose receipts are forged, torn or of impossible times harm nothing', async () => {
    await tell('message1')
    await tell('message2')
    const future = JSON.stringify({ id: 'message1', state: 'given', at: '2999-01-01T00:00:00Z' })
    await receipts(
      '{',
      '[]',
      '{"id":"message2","state":"given"}',
      '{"id":"../../../x","state":"given","at":""}',
      future,
      '{"id":"mess',
    )
    await world.sync()
    assert.deepEqual(told(), [
      ['message1', 'given'],
      ['message2', 'waits'],
    ])
    assert.equal(Date.parse(find().status?.messages?.[0]?.deliveredAt ?? ''), world.clock.now().getTime())
  })

  it('whose receipts are a link, a folder or without end are waited for', async () => {
    await tell('message1')
    await receipts(['message1', 'given'])
    const real = `${fileOf(EXECUTION_FILES.receipts)}.real`
    await writeFile(real, await readFile(fileOf(EXECUTION_FILES.receipts)))
    for (const make of [
      (path: string) => symlink(real, path),
      (path: string) => mkdir(path),
      (path: string) => writeFile(path, 'x'.repeat(65 * 1024)),
    ]) {
      await rm(fileOf(EXECUTION_FILES.receipts), { recursive: true, force: true })
      await make(fileOf(EXECUTION_FILES.receipts))
      await world.sync()
      assert.deepEqual(told(), [['message1', 'waits']])
    }
  })

  it('come into the inbox though the operator was killed before it wrote them, and once', async () => {
    await tell('message1')
    const client = { ...world.kube }
    const stopped = new AbortController()
    const onVolume: World['context']['onVolume'] = (piece, work) => {
      if (piece.kind === 'write') stopped.abort(new Error('killed'))
      return world.context.onVolume(piece, () => work(stopped.signal))
    }
    const dying = { ...world.context, client, onVolume }
    await assert.rejects(syncTask(dying, { namespace: NAMESPACE, name: 'task-a' }), /killed/)
    assert.equal(await inboxOf('message1'), undefined)
    await world.sync()
    assert.notEqual(await inboxOf('message1'), undefined)
  })

  it('do not come into the inbox again once they were given', async () => {
    await tell('message1')
    await receipts(['message1', 'giving'], ['message1', 'given'])
    await world.sync()
    assert.equal(await inboxOf('message1'), undefined)
  })

  it('of the last moment are uncertain or wait when the run has ended, and are told at the next start, once', async () => {
    await tell('message1')
    await tell('message2', 'bob', 'Half said.')
    await tell('message3', 'eve', 'Not said.')
    await receipts(['message1', 'giving'], ['message1', 'given'], ['message2', 'giving'])
    await world.endJob('task-a-1-run', { outcome: {} })
    await world.sync()
    assert.equal(world.task().status?.state, 'READY')
    assert.deepEqual(told(), [
      ['message1', 'given'],
      ['message2', 'uncertain'],
      ['message3', 'waits'],
    ])
    world.annotate('task-a', { ...AUTHOR.annotations, 'slipway.dev/action': 'reject' })
    await world.sync()
    world.annotate('task-a', { ...AUTHOR.annotations, 'slipway.dev/action': 'run' })
    await world.sync()
    for (const prompt of ['prompt', 'resume'] as const) {
      const text = (await readGiven(world, 'task-a-2'))[prompt] ?? ''
      assert.match(
        text,
        /From bob, .*message message2 \(you may have seen it already[^]*Half said\.[^]*From eve[^]*Not said\./,
      )
      assert.doesNotMatch(text, /message1/)
    }
  })

  it('wait for the start whose agent begins: a start that came to nothing has told nobody', async () => {
    await tell('message1', 'ada', 'Not said.')
    await world.endJob('task-a-1-run', { result: { outcome: 'failed', pushed: false } })
    await world.sync()
    for (const n of [2, 3]) {
      world.annotate('task-a', { ...AUTHOR.annotations, 'slipway.dev/action': 'run' })
      await world.sync()
      assert.match((await readGiven(world, `task-a-${n}`)).prompt ?? '', /Not said\./)
      await world.endJob(`task-a-${n}-run`, { result: { outcome: 'failed', pushed: false } })
      await world.sync()
    }
  })

  it('wait for the start that tells its agent something, beyond one that only repeats the delivery of a revision', async () => {
    const revise = (comment: string): void =>
      world.annotate('task-a', {
        ...AUTHOR.annotations,
        'slipway.dev/action': 'revise',
        'slipway.dev/comment': comment,
      })
    const refused = { outcome: 'failed', pushed: false, error: { category: 'git', message: 'rejected' } } as const
    await world.endJob('task-a-1-run', { outcome: {} })
    await world.sync()
    revise('Say two.')
    await world.sync()
    await tell('message1', 'ada', 'Not said.')
    await world.endJob('task-a-2-run', { outcome: {}, result: refused })
    await world.sync()
    world.annotate('task-a', { ...AUTHOR.annotations, 'slipway.dev/action': 'resume' })
    await world.sync()
    assert.equal(runSpecOf(world.job('task-a-3-run')).deliverOnly, true)
    const startedAt = '2026-01-01T00:00:00Z'
    const ended = { terminated: { exitCode: 0, startedAt, finishedAt: startedAt } }
    const agent = { name: 'agent', ready: false, restartCount: 0, image: '', imageID: '', state: ended }
    await world.endJob('task-a-3-run')
    world.kube.put(PODS, aPod({ job: 'task-a-3-run', status: { phase: 'Succeeded', initContainerStatuses: [agent] } }))
    await world.sync()
    assert.equal(world.task().status?.state, 'READY')
    await world.clock.advance(1000)
    revise('Say three.')
    await world.sync()
    assert.match((await readGiven(world, 'task-a-4')).resume ?? '', /Not said\./)
  })

  it('of which one came while the end was written are kept all the same', async () => {
    await world.endJob('task-a-1-run', { outcome: {} })
    let isTold = false
    world.kube.onWrite = (moment, write) => {
      if (moment === 'after' || isTold || !write.startsWith('status Execution')) return
      isTold = true
      // Another writer was faster: what the operator wants to write rests on what is no more.
      throw new KubeError(409, 'Conflict', 'the object has been modified')
    }
    await assert.rejects(syncTask(world.context, { namespace: NAMESPACE, name: 'task-a' }), /modified/)
    await tell('message1', 'eve')
    await world.sync()
    assert.equal(world.task().status?.state, 'READY')
    assert.deepEqual([told(), world.task().status?.messagedBy], [[['message1', 'waits']], ['eve']])
  })

  it('wait for the start that begins after a revise too, beside all that was asked for', async () => {
    await tell('message1', 'ada', 'Not said.')
    await world.endJob('task-a-1-run', { outcome: {} })
    await world.sync()
    for (const [n, comment] of [
      [2, 'Say two.'],
      [3, 'Say three.'],
    ] as const) {
      await world.clock.advance(1000)
      world.annotate('task-a', {
        ...AUTHOR.annotations,
        'slipway.dev/action': 'revise',
        'slipway.dev/comment': comment,
      })
      await world.sync()
      const { prompt = '', resume } = await readGiven(world, `task-a-${n}`)
      for (const text of [prompt, resume])
        assert.match(text, n === 2 ? /Say two\.[^]*Not said\./ : /Say two\.[^]*Say three\.[^]*Not said\./)
      // Its agent never begins.
      await world.endJob(`task-a-${n}-run`, { result: { outcome: 'failed', pushed: false } })
      await world.sync()
    }
  })

  describe('in the eyes of four eyes', () => {
    const accept = async (by: string): Promise<string | undefined> => {
      world.annotate('task-a', { ...AUTHOR.annotations, 'slipway.dev/action': 'accept', 'slipway.dev/by': by })
      await world.sync()
      return world.task().status?.lastAction?.refused ?? world.task().status?.state
    }

    it('made who sent them tell the agent what to do, with the state that can be accepted', async () => {
      const ready: (readonly string[] | undefined)[] = []
      world.kube.onStored = ((before) => (type, plural, object) => {
        before(type, plural, object)
        if (plural === 'tasks' && world.task().status?.state === 'READY') ready.push(world.task().status?.messagedBy)
      })(world.kube.onStored)
      await tell('message1', 'ada')
      await world.endJob('task-a-1-run', { outcome: {} })
      await world.sync()
      assert.deepEqual(ready[0], ['ada'])
      assert.match((await accept('ada')) ?? '', /ada told the agent of task task-a what to do; .*a message/)
      assert.equal(await accept('bob'), 'COMPLETED')
    })

    it('are nobody’s where nothing proves who sent them, so that nobody can accept', async () => {
      await tell('message1', 'anonymous')
      await world.endJob('task-a-1-run', { outcome: {} })
      await world.sync()
      assert.match((await accept('bob')) ?? '', /nobody is known to have told the agent of task task-a what to do/)
    })

    it('are not forgotten when the execution is deleted while it runs', async () => {
      await tell('message1', 'ada')
      await world.sync()
      assert.deepEqual(world.task().status?.messagedBy, ['ada'])
      await world.kube.delete(EXECUTIONS, { namespace: NAMESPACE, name: 'task-a-1' })
      await world.sync()
      assert.deepEqual(world.task().status?.messagedBy, ['ada'])
    })
  })

  describe('by annotation', () => {
    const ask = async (annotations: Readonly<Record<string, string>>): Promise<string | undefined> => {
      world.annotate('task-a', { 'slipway.dev/action': 'message', ...annotations })
      await world.sync()
      return world.task().status?.lastAction?.refused
    }
    const texts = (): readonly string[] =>
      (find().status?.messages ?? []).map(({ mode, by = '', text }) => `${mode} ${by}: ${text}`)

    it('are what one says over REST', async () => {
      await ask({ 'slipway.dev/comment': 'Use tabs.', 'slipway.dev/by': 'ada', 'slipway.dev/mode': 'Interrupt' })
      assert.deepEqual(texts(), ['Interrupt ada: Use tabs.'])
      assert.deepEqual(world.task().metadata.annotations, {})
      assert.ok(
        world.events.some(
          ({ reason, message }) => reason === 'Message' && message === 'message sent to the agent by ada',
        ),
      )
      await ask({ 'slipway.dev/comment': 'Use tabs.', 'slipway.dev/by': 'ada' })
      assert.deepEqual(texts(), ['Interrupt ada: Use tabs.', 'Steer ada: Use tabs.'])
    })

    it('are refused, and leave nothing behind, where definitions of an earlier version drop them', async () => {
      const { replaceStatus } = world.kube
      world.kube.replaceStatus = ((resource, object) =>
        replaceStatus(
          resource,
          resource.plural === EXECUTIONS.plural ? withoutMessages(object) : object,
        )) satisfies typeof replaceStatus
      const reason =
        'task cannot be told anything: the definition of executions is of an earlier version; upgrade slipway-crds'
      assert.equal(await ask({ 'slipway.dev/comment': 'Use tabs.' }), reason)
      assert.deepEqual(world.task().metadata.annotations, {})
      const isSaid = (wanted: string) => world.events.some(({ message }) => message === wanted)
      assert.deepEqual([isSaid(reason), isSaid('message sent to the agent by kubectl (annotation)')], [true, false])
      const before = world.events.length
      const withId = { 'slipway.dev/comment': 'Use tabs.', 'slipway.dev/action-id': '1' }
      assert.equal(await ask(withId), reason)
      await world.sync()
      assert.equal(world.events.slice(before).filter(({ message }) => message === reason).length, 1, 'told once')
    })

    it('are refused with the reason', async () => {
      assert.equal(await ask({}), 'text must not be empty')
      assert.equal(
        await ask({ 'slipway.dev/comment': 'a', 'slipway.dev/mode': 'loudly' }),
        'unknown mode loudly: use queue, steer, interrupt',
      )
      assert.deepEqual(texts(), [])
    })

    it('count once for each id', async () => {
      const asked = { 'slipway.dev/comment': 'Use tabs.', 'slipway.dev/action-id': '1', 'slipway.dev/by': 'ada' }
      await ask(asked)
      await world.sync()
      await ask({ ...asked, 'slipway.dev/action-id': '2' })
      assert.equal(texts().length, 2)
    })

    for (const id of [undefined, '1'])
      it(`are sent once though the operator was killed on the way, ${id === undefined ? 'without' : 'with'} an id`, async () => {
        const kill = (pattern: RegExp): void => {
          world.kube.onWrite = (moment, write) => {
            if (moment === 'after' && pattern.test(write)) throw new KubeError(500, 'InternalError', 'killed')
          }
        }
        world.annotate('task-a', {
          'slipway.dev/action': 'message',
          'slipway.dev/comment': 'Use tabs.',
          ...(id && { 'slipway.dev/action-id': id }),
        })
        for (const write of [/^status Execution/, /^patch Task/, /^status Task/]) {
          kill(write)
          await syncTask(world.context, { namespace: NAMESPACE, name: 'task-a' }).catch((error: unknown) =>
            assert.match(String(error), /killed/),
          )
        }
        world.kube.onWrite = () => undefined
        await world.sync()
        assert.deepEqual(texts(), ['Steer kubectl (annotation): Use tabs.'])
      })
  })
})

/** As definitions do with fields that they do not know. */
function withoutMessages<T extends object>(object: T): T {
  return { ...object, status: omit({ ...asRecord(asRecord(object)['status']) }, ['messages']) }
}
