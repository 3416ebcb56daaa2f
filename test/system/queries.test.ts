import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Program, startProgram } from '../contract/program.ts'
import type { JsonObject } from '../../embedded/schema/json.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'
import { kindPath } from './installation.ts'

const good = '{"questions": [], "suggestions": ["name the file"]}'

describe('queries, in the built program', function () {
  let program: Program

  before(async () => (program = await startProgram()))
  after(() => program.dispose())

  async function ask(name: string, prompt: string, spec: JsonObject = {}): Promise<void> {
    const file = program.installation.executionFile(name, 'prompt.md')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, prompt)
    const wanted = { agent: 'claude', purpose: 'Validate', answerSchema: 'Validation', ...spec }
    const manifest = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Execution', metadata: { name }, spec: wanted }
    const answer = await program.server.kube.send('POST', kindPath('executions'), manifest)
    assert.equal(answer.status, 201, answer.text)
  }
  const get = async (name: string) => (await program.server.kube.send('GET', kindPath('executions', name))).body
  async function ends(name: string): Promise<JsonObject> {
    const hasEnded = async () => textAt(await get(name), 'status.finishedAt') !== ''
    await until(`${name} has ended`, hasEnded)
    return get(name)
  }

  it('answers from a clone of the repository, in the form asked for', async () => {
    await ask('validate-a', `ANSWER-WITH ${good}`, { repositoryUrl: program.remote.path })
    const ended = await ends('validate-a')
    assert.equal(textAt(ended, 'status.state'), 'COMPLETED', JSON.stringify(at(ended, 'status')))
    const file = program.installation.executionFile('validate-a', 'agent/answer.json')
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(good))
  })

  it('is shown over REST, without a task', async () => {
    const { body } = await program.server.call('GET', '/api/executions/validate-a')
    assert.deepEqual(
      [body['purpose'], body['state'], body['task_id'], body['agent']],
      ['validate', 'COMPLETED', undefined, 'claude'],
    )
  })

  it('says that its answer is unusable when it is, twice', async () => {
    await ask('validate-b', 'ANSWER-WITH nothing of use')
    const ended = await ends('validate-b')
    assert.deepEqual(
      [textAt(ended, 'status.state'), textAt(ended, 'status.answer')],
      ['FAILED', 'Unusable'],
      JSON.stringify(at(ended, 'status')),
    )
  })

  it('refuses a name that a task could give to its executions', async () => {
    const spec = { agent: 'claude', purpose: 'Validate' }
    const manifest = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Execution', metadata: { name: 'demo-1' }, spec }
    const answer = await program.server.kube.send('POST', kindPath('executions'), manifest)
    assert.equal(answer.status, 422)
    assert.match(answer.text, /must not end in - and a number/)
  })
})
