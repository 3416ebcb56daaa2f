import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const FAKE = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'agents', 'claude.mjs')
const agent = { name: 'claude', adapter: 'claude', command: [process.execPath, FAKE], allowedTools: ['Read'] }
const good = '{"questions": [], "suggestions": ["name the file"]}'

describe('an execution that is to answer', function () {
  let root: string

  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  function ask(prompt: string, spec: Partial<RunSpec> = {}): TestExecution {
    return makeExecution(root, makeRemote(root, { a: '1' }), prompt, { agent, answerSchema: 'Validation', ...spec })
  }
  const starts = ({ volume }: TestExecution) =>
    readFileSync(join(volume, 'drops', 'started.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { args: string[]; prompt: string })

  it('keeps the answer, having told the agent its form, and pushes nothing', async () => {
    const run = ask(`ANSWER-WITH ${good}`)
    assert.equal((await run.all()).exitCode, 0)
    assert.deepEqual(JSON.parse(run.read('agent/answer.json')), JSON.parse(good))
    assert.deepEqual([run.result().answer, run.result().pushed], ['Usable', false])
    const [start] = starts(run)
    assert.match(start?.prompt ?? '', /must fit this JSON schema[\s\S]*"suggestions"/)
    assert.ok(start?.args.includes('--disallowedTools'))
  })

  it('asks once more in the same session, naming what is wrong, and adds up the cost', async () => {
    const run = ask(`ANSWER-WITH {"questions": "none"} THEN ${good}`)
    assert.equal((await run.all()).exitCode, 0)
    assert.deepEqual([run.result().answer, run.result().costUSD, run.result().turns], ['Usable', 0.5, 4])
    const [, again] = starts(run)
    assert.ok(again?.args.includes('--resume'))
    assert.match(again?.prompt ?? '', /questions: must be a list/)
  })

  it('fails as unusable when that does not help either', async () => {
    const run = ask('ANSWER-WITH I would rather not.')
    assert.equal((await run.all()).exitCode, 1)
    const { outcome, answer, error } = run.result()
    assert.deepEqual([outcome, answer, error?.category], ['failed', 'Unusable', 'failed'])
    assert.match(error?.message ?? '', /asked twice: it has no JSON object/)
    assert.ok(!run.exists('agent/answer.json'))
  })

  it('passes on why the agent itself failed', async () => {
    const run = ask('THROTTLED')
    await run.all()
    const { outcome, answer, error } = run.result()
    assert.deepEqual([outcome, answer, error?.category], ['failed', undefined, 'rate_limit'])
  })

  it('works in an empty repository where none is named', async () => {
    const run = ask(`ANSWER-WITH ${good}`, { repositoryUrl: '' })
    assert.equal((await run.all()).exitCode, 0)
    assert.equal(run.result().answer, 'Usable')
  })
})
