import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution, ExecutionStatus, Story } from '../../core/crd/types.ts'
import { executionPath } from '../../core/execution/layout.ts'
import { criteriaOf } from '../../core/story/criteria.ts'
import type { OpinionVerdict } from '../../core/story/opinions.ts'
import { decideStory } from '../../core/story/decide.ts'
import { AGENTS, EXECUTIONS, PROJECTS, STORIES, STORY_EVENTS, TASKS } from '../../kube/resources.ts'
import { isConflict } from '../../kube/types.ts'
import { syncStory } from '../../operator/story/controller.ts'
import { anAgent, anExecution, aProject, aStory, aTask, NAMESPACE, text } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const CRITERIA = ['It builds.', 'It is fast.']

describe('the operator and a story in VALIDATING', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ allowUnsandboxed: true })
    for (const adapter of ['claude', 'gemini'] as const)
      world.kube.put(AGENTS, anAgent({ name: adapter, spec: { adapter } }))
    world.kube.put(PROJECTS, aProject({ spec: { testCommand: 'npm test' } }))
    const done = { state: 'READY', agent: { type: 'claude' }, finishedAt: '2025-12-31T00:00:00Z' } as const
    world.kube.put(TASKS, aTask({ spec: { storyId: 'story-a' }, status: done }))
    const spec = { acceptanceCriteria: CRITERIA, projectId: 'project-a' }
    const status = { status: 'SHIPPABLE', statusChangedAt: '2025-12-31T12:00:00Z' } as const
    world.kube.put(STORIES, aStory({ spec, status }))
    move('VALIDATING')
  })
  afterEach(() => world.close())

  const sync = async () => {
    for (let round = 0; round < 5; round++) await syncStory(world.context, { namespace: NAMESPACE, name: 'story-a' })
  }
  const story = (): Story => {
    const [found] = world.kube.all(STORIES)
    assert.ok(found)
    return found
  }
  /** As the API server writes it. */
  function move(status: string): void {
    const outcome = decideStory(story(), world.kube.all(TASKS), {
      action: 'move',
      status,
      by: 'ann',
      at: world.clock.now(),
    })
    assert.ok(outcome.kind === 'allowed', JSON.stringify(outcome))
    world.kube.put(STORIES, { ...story(), status: outcome.status })
  }
  const asked = () => world.kube.all(EXECUTIONS).filter(({ spec }) => spec.purpose === 'Evaluate')
  const open = (): Execution => {
    const found = asked().find(({ status }) => status?.finishedAt === undefined)
    assert.ok(found, JSON.stringify(story().status))
    return found
  }
  /** Plays the query to its end. */
  async function end(verdicts: readonly OpinionVerdict[], more: object = {}): Promise<void> {
    const { name } = open().metadata
    const told = criteriaOf(story().spec).map(({ id }, at) => ({
      criterion: id,
      verdict: verdicts[at],
      evidence: `saw ${at}`,
    }))
    const asking = await readFile(join(world.volumeRoot, executionPath(name), 'prompt.md'), 'utf8')
    const folder = join(world.volumeRoot, executionPath(name), 'agent')
    await mkdir(folder, { recursive: true })
    const answer = { verdicts: told.filter(({ criterion }) => asking.includes(criterion)), ...more }
    await writeFile(join(folder, 'answer.json'), JSON.stringify(answer))
    await endAs({ state: 'COMPLETED', answer: 'Usable' })
  }
  async function endAs(status: ExecutionStatus): Promise<void> {
    const finishedAt = world.clock.now().toISOString()
    world.kube.put(EXECUTIONS, { ...open(), status: { ...status, finishedAt } })
    await sync()
  }
  const facts = () => {
    const { status, evaluation, conditions } = story().status ?? {}
    const { passed, failed, pending } = evaluation ?? {}
    return { status, passed, failed, pending, reason: conditions?.[0]?.reason }
  }
  const kinds = () =>
    world.kube
      .all(STORY_EVENTS)
      .map(({ spec }) => spec.kind)
      .sort()

  it('asks the agent that did not do the work, in the branch of the story, with the criteria and the test command', async () => {
    await sync()
    const { metadata, spec } = open()
    assert.deepEqual(
      [spec.agent, spec.storyRef, spec.projectRef, spec.branch, spec.answerSchema, metadata.ownerReferences?.[0]?.uid],
      ['gemini', { name: 'story-a' }, { name: 'project-a' }, 'story/story-a', 'Evaluation', 'uid-story-a'],
    )
    const prompt = await readFile(join(world.volumeRoot, executionPath(metadata.name), 'prompt.md'), 'utf8')
    for (const words of [...CRITERIA, 'npm test', 'story/story-a']) assert.ok(prompt.includes(words), words)
    assert.deepEqual(facts(), { status: 'VALIDATING', passed: 0, failed: 0, pending: 2, reason: 'Evaluating' })
  })

  it('makes the story REVIEW_READY when all criteria pass, records a verdict for each, and writes nothing more', async () => {
    await sync()
    await end(['pass', 'pass'])
    assert.deepEqual(facts(), { status: 'REVIEW_READY', passed: 2, failed: 0, pending: 0, reason: 'Tracked' })
    assert.deepEqual(kinds(), ['eval_verdict', 'eval_verdict'])
    const version = story().metadata.resourceVersion
    await sync()
    assert.deepEqual([story().metadata.resourceVersion, asked().length], [version, 1])
  })

  it('has a disputed criterion decided by an arbiter who is told what both said', async () => {
    await sync()
    await end(['pass', 'fail'])
    assert.equal(open().spec.agent, 'claude')
    await end(['pass', 'pass'])
    const arbiter = open()
    const prompt = await readFile(join(world.volumeRoot, executionPath(arbiter.metadata.name), 'prompt.md'), 'utf8')
    assert.match(prompt, /The first says fail: "saw 1"\n +- The second says pass: "saw 1"/)
    assert.ok(!prompt.includes('It builds.'))
    await end(['fail', 'fail'])
    assert.deepEqual(facts(), { status: 'VALIDATING', passed: 1, failed: 1, pending: 0, reason: 'CriteriaOpen' })
    assert.deepEqual(kinds(), ['arbitration_decided', 'eval_verdict', 'eval_verdict', 'eval_verdict'])
  })

  it('cancels what runs when the story is moved out, and asks anew when it is moved in again', async () => {
    await sync()
    const first = open().metadata.name
    move('IN_PROGRESS')
    await sync()
    const stray = world.kube.all(EXECUTIONS).find(({ metadata }) => metadata.name === first)
    assert.ok(stray?.status?.cancelRequestedAt !== undefined)
    await endAs({ state: 'CANCELLED' })
    assert.deepEqual([facts().status, story().status?.evaluation?.runs?.[0]?.outcome], ['IN_PROGRESS', 'Cancelled'])
    move('SHIPPABLE')
    move('VALIDATING')
    await sync()
    assert.notEqual(open().metadata.name, first)
  })

  it('cancels what runs also when the story is back in VALIDATING before anybody has looked', async () => {
    await sync()
    const first = open().metadata.name
    move('IN_PROGRESS')
    move('SHIPPABLE')
    move('VALIDATING')
    await sync()
    const states = asked().map(({ metadata, status }) => [
      metadata.name === first,
      status?.cancelRequestedAt !== undefined,
    ])
    assert.deepEqual(
      states.sort(([a]) => (a === true ? 1 : -1)),
      [
        [false, false],
        [true, true],
      ],
    )
  })

  it('cancels what runs, asks nobody and says why when the story comes back by IN_PROGRESS alone', async () => {
    await sync()
    move('IN_PROGRESS')
    move('VALIDATING')
    await sync()
    assert.deepEqual(
      asked().map(({ status }) => status?.cancelRequestedAt !== undefined),
      [true],
    )
    assert.deepEqual([facts().status, facts().reason], ['VALIDATING', 'NotEvaluated'])
    assert.match(story().status?.conditions?.[0]?.message ?? '', /came from IN_PROGRESS; move it to/)
  })

  for (const [from, count] of [
    ['SHIPPABLE', 1],
    ['IN_PROGRESS', 0],
  ] as const) {
    it(`evaluates a story that an annotation moves from ${from} ${count === 1 ? 'once' : 'not at all'}`, async () => {
      const annotations = { 'slipway.dev/action': 'move', 'slipway.dev/status': 'VALIDATING' }
      const spec = { acceptanceCriteria: CRITERIA, projectId: 'project-a' }
      const status = { status: from, statusChangedAt: '2026-01-01T00:00:00Z' }
      world.kube.put(STORIES, aStory({ metadata: { annotations }, spec, status }))
      await sync()
      assert.deepEqual([facts().status, asked().length], ['VALIDATING', count])
    })
  }

  it('stays in VALIDATING with what a person can do when runs fail three times', async () => {
    const error = { category: 'failed', message: text('the CLI crashed') } as const
    await sync()
    for (let n = 0; n < 3; n++) {
      await endAs({ state: 'FAILED', error })
      await world.clock.advance(120_000)
      await sync()
    }
    assert.deepEqual([asked().length, facts().reason], [3, 'EvaluationFailed'])
    assert.match(
      story().status?.conditions?.[0]?.message ?? '',
      /3 times, at last with: agent \w+: the CLI crashed; move/,
    )
  })

  it('takes a completed run without an answer, or with one of another form, for one that failed', async () => {
    await sync()
    await endAs({ state: 'COMPLETED', answer: 'Usable' })
    assert.match(story().status?.evaluation?.runs?.[0]?.message ?? '', /gave no usable answer/)
  })

  it('says that no agent can evaluate when there are only scripts, and hangs nowhere', async () => {
    for (const adapter of ['claude', 'gemini'] as const)
      world.kube.put(AGENTS, anAgent({ name: adapter, spec: { adapter: 'script' } }))
    await sync()
    assert.deepEqual([asked().length, facts().reason], [0, 'NoEvaluator'])
  })

  it('comes to the same end after a crash between any two of its writes', async () => {
    for (let survived = 0; survived < 12; survived++) {
      await world.close()
      world = await openWorld({ allowUnsandboxed: true })
      for (const adapter of ['claude', 'gemini'] as const)
        world.kube.put(AGENTS, anAgent({ name: adapter, spec: { adapter } }))
      world.kube.put(PROJECTS, aProject())
      world.kube.put(
        STORIES,
        aStory({ spec: { acceptanceCriteria: CRITERIA, projectId: 'project-a' }, status: { status: 'SHIPPABLE' } }),
      )
      move('VALIDATING')
      let left = survived
      world.kube.onWrite = (moment) => {
        if (moment === 'before' && left-- === 0) throw new Error('killed')
      }
      const syncOnce = async () => {
        try {
          await sync()
        } catch (error) {
          if (!isConflict(error) && !(error instanceof Error && error.message === 'killed')) throw error
        }
      }
      for (let n = 0; n < 3; n++) await syncOnce()
      await end(['pass', 'pass']).catch(syncOnce)
      for (let n = 0; n < 3; n++) await syncOnce()
      assert.deepEqual([facts().status, kinds().length, asked().length], ['REVIEW_READY', 2, 1], `${survived} writes`)
    }
  })

  it('tells at the acceptance what the story took and what its evaluator proposes, as far as the project wants it', async () => {
    world.kube.put(EXECUTIONS, anExecution({ status: { state: 'COMPLETED', costUSD: 0.5, summary: 'Built it.' } }))
    await sync()
    await end(['pass', 'pass'], { follow_up: { title: 'Measure it', description: 'In CI.' } })
    const accepted = decideStory(story(), [], { action: 'accept', by: 'ann', at: world.clock.now() })
    assert.ok(accepted.kind === 'allowed')
    world.kube.put(STORIES, { ...story(), status: accepted.status })
    await sync()
    const told = world.kube.all(STORY_EVENTS).filter(({ spec }) => spec.kind !== 'eval_verdict')
    assert.deepEqual(told.map(({ spec }) => spec.kind).sort(), ['epic_proposed', 'human_accepted', 'retro_captured'])
    const retro = told.find(({ spec }) => spec.kind === 'retro_captured')?.spec.payload
    assert.deepEqual([retro?.['attempts'], retro?.['cost_usd'], retro?.['evaluations']], [1, 0.5, 1])
  })

  it('tells nothing of what the project has switched off, and asks nobody', async () => {
    const evaluation = { enabled: false, retro: false, proposeEpics: false }
    world.kube.put(PROJECTS, aProject({ spec: { evaluation } }))
    await sync()
    assert.deepEqual([asked().length, facts().reason], [0, 'EvaluationOff'])
    move('REVIEW_READY')
    const accepted = decideStory(story(), [], { action: 'accept', by: 'ann', at: world.clock.now() })
    assert.ok(accepted.kind === 'allowed')
    world.kube.put(STORIES, { ...story(), status: accepted.status })
    await sync()
    assert.deepEqual(kinds(), ['human_accepted'])
  })
})
