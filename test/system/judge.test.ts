import assert from 'node:assert/strict'
import type { JsonValue } from '../../embedded/schema/json.ts'
import { type Program, startProgram } from '../contract/program.ts'
import { textAt } from '../helpers/kube-http.ts'
import { kindPath } from './installation.ts'

/** More than a machine so loaded that a question takes ten seconds needs. */
const TRIES = 10

describe('an agent that judges, in the built program', function () {
  let program: Program

  before(async () => {
    program = await startProgram()
    const { server } = program
    const classifier = { judges: true, judge_model: 'haiku' }
    for (const [id, more] of Object.entries({ judge: { classifier }, other: {} })) {
      const { status, text } = await server.call('POST', '/api/agents', {
        id,
        adapter: 'claude',
        credentials: {},
        ...more,
      })
      assert.equal(status, 201, text)
    }
  })
  after(() => program.dispose())

  async function choose(id: string, name: string): Promise<JsonValue | undefined> {
    const { server, remote } = program
    const { status, text } = await server.call('POST', '/api/tasks', { id, name, repository_url: remote.path })
    assert.equal(status, 201, text)
    await server.run(id)
    await program.reaches(id, 'READY')
    return (await server.kube.send('GET', kindPath('tasks', id))).body['status']
  }

  it('chooses the agent of a task that names none', async () => {
    const reasons: string[] = []
    for (let n = 1; n <= TRIES; n++) {
      const status = await choose(`chosen-${n}-x`, 'PREFERS other')
      if (textAt(status, 'agent.chosenBy') === 'Model') return assert.equal(textAt(status, 'agent.type'), 'other')
      reasons.push(textAt(status, 'agent.reason'))
    }
    assert.fail(`no question was answered in time: ${reasons.join(' · ')}`)
  })

  it('leaves it to the rules when it names an agent that does not exist, and says so', async () => {
    const status = await choose('ruled', 'PREFERS nobody')
    assert.equal(textAt(status, 'agent.chosenBy'), 'Rules')
    assert.match(textAt(status, 'agent.reason'), /; agent judge (named nobody, which cannot take the task|gave no)/)
  })
})
