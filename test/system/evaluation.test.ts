import assert from 'node:assert/strict'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { type Program, PATIENCE_MS, startProgram } from '../contract/program.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'

/** What the stand-in for the CLI reads in a criterion, it answers (test/fixtures/agents/claude.mjs). */
describe('the evaluation of a story, in the built program', function () {
  let program: Program

  before(async () => {
    program = await startProgram()
    const { server, remote } = program
    await server.call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: remote.path })
    const other = await server.call('POST', '/api/agents', { id: 'other', adapter: 'claude', credentials: {} })
    assert.equal(other.status, 201, other.text)
  })
  after(() => program.dispose())

  const read = async (path: string) => JSON.parse((await program.server.call('GET', path)).text) as JsonValue
  const get = (id: string) => read(`/api/stories/${id}`)
  const becomes = (id: string, status: string): Promise<void> =>
    until(`${id} is ${status}`, async () => textAt(await get(id), 'status') === status, PATIENCE_MS)
  const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])
  const eventsOf = async (id: string) => listOf(await read(`/api/stories/${id}/events`)).toReversed()
  const runsOf = async (id: string) => listOf(at(await get(id), 'evaluation.runs'))

  /** A story whose one task is done, moved to VALIDATING. */
  async function validate(id: string, criteria: readonly string[]): Promise<void> {
    const { server } = program
    const story = { id, name: id, project_id: 'shop', acceptance_criteria: criteria }
    assert.equal((await server.call('POST', '/api/stories', story)).status, 201)
    const agent = { type: 'script', instructions: `echo ${id} > work.txt` }
    await server.call('POST', `/api/stories/${id}/tasks`, { id: `${id}-task`, name: id, agent })
    await server.call('POST', `/api/stories/${id}/run`)
    await becomes(id, 'SHIPPABLE')
    const moved = await server.call('PUT', `/api/stories/${id}/status`, { status: 'VALIDATING' })
    assert.equal(moved.status, 200, moved.text)
  }

  it('makes a story REVIEW_READY whose criteria all pass on its branch, and tells at its end what it took', async () => {
    await validate('good', ['It HOLDS.', 'That HOLDS too.'])
    await becomes('good', 'REVIEW_READY')
    const good = await get('good')
    const counted = ['total', 'passed', 'round'].map((field) => at(good, `evaluation.${field}`))
    assert.deepEqual(counted, [2, 2, 1])
    const verdicts = (await eventsOf('good')).filter((event) => at(event, 'kind') === 'eval_verdict')
    assert.deepEqual(
      verdicts.map((event) => [textAt(event, 'payload.verdict'), textAt(event, 'payload.evidence')]),
      [
        ['pass', 'work.txt is there'],
        ['pass', 'work.txt is there'],
      ],
    )
    assert.equal((await program.server.call('POST', '/api/stories/good/accept')).status, 200)
    await until('retro and follow-up are told', async () => {
      const kinds = (await eventsOf('good')).map((event) => at(event, 'kind'))
      return kinds.includes('retro_captured') && kinds.includes('epic_proposed')
    })
  })

  it('has a criterion that two agents differ about decided by an arbiter', async () => {
    await validate('disputed', ['It HOLDS.', 'It is DISPUTED.'])
    await becomes('disputed', 'REVIEW_READY')
    const decided = (await eventsOf('disputed')).filter((event) => at(event, 'kind') === 'arbitration_decided')
    assert.deepEqual(
      decided.map((event) => [textAt(event, 'payload.criterion'), textAt(event, 'payload.decided')]),
      [['It is DISPUTED.', 'pass']],
    )
    assert.deepEqual(
      (await runsOf('disputed')).map((run) => [at(run, 'role'), at(run, 'agent'), at(run, 'outcome')]),
      [
        ['first', 'claude', 'answered'],
        ['second', 'other', 'answered'],
        ['arbiter', 'claude', 'answered'],
      ],
    )
  })

  it('leaves a story in VALIDATING whose criterion fails, and says what a person can do', async () => {
    await validate('bad', ['It HOLDS.', 'It is BROKEN.'])
    const failed = async () => textAt(await get('bad'), 'evaluation.message')
    await until('both agents have judged', async () => (await failed()).includes('do not hold'), PATIENCE_MS)
    assert.match(
      await failed(),
      /^1 of 2 criteria do not hold: “It is BROKEN\.”; move the story to REVIEW_READY or back/,
    )
    assert.equal(textAt(await get('bad'), 'status'), 'VALIDATING')
  })

  it('takes an answer without the form for a run that failed, and asks another agent', async () => {
    await validate('formless', ['It is NO-FORM.'])
    const runs = () => runsOf('formless')
    await until(
      'a run has failed',
      async () => (await runs()).some((run) => at(run, 'outcome') === 'failed'),
      PATIENCE_MS,
    )
    const [first] = await runs()
    assert.deepEqual([at(first, 'agent'), at(first, 'role')], ['claude', 'first'])
    assert.equal((await eventsOf('formless')).length, 0)
    assert.equal(textAt(await get('formless'), 'status'), 'VALIDATING')
  })
})
