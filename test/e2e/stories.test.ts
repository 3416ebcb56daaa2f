import assert from 'node:assert/strict'
import { asRecord } from '../../core/json.ts'
import type { Input } from '../../core/rest/client/client.ts'
import { until } from '../helpers/until.ts'
import { api, commitOnServer, dig, gitOnServer, kubectl, makeProject, MINUTE, records, untilField } from './cluster.ts'
import { JUDGE_COMMAND } from './judge.ts'

/** In the order in which they are asked; before the agents that every installation has, whose programs are not here. */
const JUDGES = ['assessor', 'auditor', 'bench']

function planFor(branch: string): Input<'approveStory'>['body'] {
  return {
    name: 'A shop window',
    branch_name: branch,
    project_id: 'stories',
    acceptance_criteria: ['It HOLDS.', 'It is DISPUTED.'],
    tasks: [
      { name: 'One', agent: 'script' },
      { name: 'Two', agent: 'script' },
    ],
  }
}

/** All that belongs to the project, by name; other tests make and remove what is theirs meanwhile. */
const ownNames = async () => {
  const ofProject = (field: string) => `{.items[?(@.spec.${field}=="stories")].metadata.name}`
  const names = `jsonpath=${ofProject('projectId')} ${ofProject('project')}`
  return kubectl('get', 'stories,tasks.slipway.dev', '-o', names)
}
const branches = async () => gitOnServer('stories', 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
const storyOf = async (id: string) => asRecord(await api.getStory({ params: { id } }))
const eventsOf = async (id: string) => records(await api.listStoryEvents({ params: { id } })).toReversed()

const untilStatus = (id: string, status: string) =>
  untilField(`stories.slipway.dev/${id}`, '.status.status', status, 3 * MINUTE)

describe('a story on a cluster', () => {
  let id = ''

  before(async () => {
    await makeProject('stories')
    for (const judge of JUDGES)
      await api.createAgent({ body: { id: judge, adapter: 'claude', command: [...JUDGE_COMMAND] } })
  })

  it('is approved: a pod pushes its branch, and its tasks are chained', async () => {
    const { story, tasks } = await api.approveStory({ body: planFor('story/window') })
    id = story.id
    const [main, branch] = (await gitOnServer('stories', 'rev-parse', 'main', 'story/window')).split('\n')
    assert.equal(branch, main)
    assert.deepEqual(
      tasks.map((task) => [task.id, task.depends_on]),
      [
        [`${id}-t01`, []],
        [`${id}-t02`, [`${id}-t01`]],
      ],
    )
  })

  it('is refused, with nothing left of it, where the branch holds the work of others', async () => {
    await commitOnServer('stories', 'story/others', 'others.txt', 'work')
    const before = await ownNames()
    await assert.rejects(api.approveStory({ body: planFor('story/others') }), {
      status: 409,
      message: /^nothing was approved: .*holds work that main does not have/,
    })
    assert.equal(await ownNames(), before)
    assert.match(await branches(), /^story\/others$/m)
  })

  it('is run by one button: its tasks work one after another on its branch, until it is SHIPPABLE', async () => {
    for (const [task, script] of [
      [`${id}-t01`, 'echo one > one.txt'],
      [`${id}-t02`, 'cat one.txt && echo two > two.txt'],
    ] as const) {
      await api.updateTask({ params: { id: task }, body: { agent: { type: 'script', instructions: script } } })
    }
    await api.runStory({ params: { id } })
    await untilStatus(id, 'SHIPPABLE')
    const files = await gitOnServer('stories', 'ls-tree', '--name-only', 'story/window')
    assert.deepEqual(files.trim().split('\n'), ['README.md', 'one.txt', 'two.txt'])
  })

  it('is evaluated by two agents and an arbiter, each in a pod with a clone of its branch, and becomes REVIEW_READY', async () => {
    await api.moveStory({ params: { id }, body: { status: 'VALIDATING' } })
    await untilStatus(id, 'REVIEW_READY')
    let { status, evaluation } = await storyOf(id)
    await until('the API says so', async () => {
      ;({ status, evaluation } = await storyOf(id))
      return status === 'REVIEW_READY' && dig(evaluation, 'passed') === 2
    })
    assert.deepEqual(
      ['total', 'passed', 'round'].map((field) => dig(evaluation, field)),
      [2, 2, 1],
    )
    assert.deepEqual(
      records(dig(evaluation, 'runs')).map(({ role, agent, outcome }) => [role, agent, outcome]),
      ['first', 'second', 'arbiter'].map((role, n) => [role, JUDGES[n], 'answered']),
    )
    const events = await eventsOf(id)
    const decided = events.filter(({ kind }) => kind === 'arbitration_decided')
    assert.deepEqual(
      decided.map(({ payload }) => [dig(payload, 'criterion'), dig(payload, 'decided')]),
      [['It is DISPUTED.', 'pass']],
    )
    const verdicts = events.filter(({ kind }) => kind === 'eval_verdict')
    assert.deepEqual(new Set(verdicts.map(({ payload }) => dig(payload, 'evidence'))), new Set(['one.txt two.txt']))
  })

  it('tells at its end what it took, and proposes what follows', async () => {
    await api.acceptStory({ params: { id } })
    await until(
      'retro and follow-up are told',
      async () => {
        const kinds = (await eventsOf(id)).map(({ kind }) => kind)
        return kinds.includes('retro_captured') && kinds.includes('epic_proposed')
      },
      MINUTE,
    )
  })
})
