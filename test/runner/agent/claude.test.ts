import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const FAKE = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'agents', 'claude.mjs')
const agent = { name: 'claude', adapter: 'claude', command: [process.execPath, FAKE] }

interface Started {
  readonly args: readonly string[]
  readonly prompt: string
  readonly credentials: string | null
}

describe('an execution of claude', function () {
  let root: string

  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  function execution(prompt: string, spec: Partial<RunSpec> = {}): TestExecution {
    return makeExecution(root, makeRemote(root, { a: '1' }), prompt, { agent, ...spec })
  }

  const starts = ({ volume }: TestExecution): Started[] =>
    readFileSync(join(volume, 'drops', 'started.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Started)

  const kinds = (run: TestExecution): string[] =>
    run
      .read('agent/events.jsonl')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind)

  it('succeeds with session, cost, tokens, turns, summary and conversation, and its work is pushed', async () => {
    const run = execution('write it')
    assert.equal((await run.all()).exitCode, 0)
    const result = run.result()
    assert.deepEqual(
      [result.outcome, result.costUSD, result.turns, result.summary, result.pushed],
      ['succeeded', 0.25, 2, 'Wrote work.txt', true],
    )
    assert.deepEqual(result.tokens, { input: 100, output: 20, cacheRead: 5, cacheWrite: 0 })
    assert.match(result.sessionId ?? '', /^[0-9a-f-]{36}$/)
    const found = ['session', 'tool_call', 'edit', 'usage', 'tool_result', 'text', 'usage', 'usage', 'result']
    assert.deepEqual(kinds(run), found)
  })

  it('has its prompt on stdin only: no argument of the process holds any of it', async () => {
    const run = execution('a very recognisable prompt')
    await run.step('prepare')
    await run.step('agent')
    const [start] = starts(run)
    assert.equal(start?.prompt, 'a very recognisable prompt')
    assert.ok(!start.args.join(' ').includes('recognisable'))
  })

  it('blocks with its question and options, and goes on in the same session with the answer', async () => {
    const run = execution('ASK-ME first')
    await run.all()
    const asked = run.result()
    assert.equal(asked.outcome, 'blocked')
    assert.deepEqual(asked.questions, [{ text: 'Which color?', header: 'Color', options: ['red', 'blue'] }])
    const { sessionId = '' } = asked
    const { baseCommit = '' } = asked
    const again = { execution: 'demo-2', keepClone: true, baseCommit, agent: { ...agent, sessionId } }
    const next = makeExecution(root, { path: run.spec.repositoryUrl }, 'the whole prompt', again)
    next.give({ resume: 'The answer: blue' })
    assert.equal((await next.all()).exitCode, 0)
    assert.equal(next.result().sessionId, sessionId)
    assert.equal(starts(next)[1]?.prompt, 'The answer: blue')
  })

  it('asks all that its agent asks, by two calls in one message and by file, and its conversation shows each once', async () => {
    const run = execution('ASK-ME-TWICE AND-BY-FILE')
    await run.all()
    const texts = ['Which color?', 'Which size?', 'Which shape?']
    assert.deepEqual(
      run.result().questions?.map(({ text }) => text),
      texts,
    )
    const shown = run.read('agent/events.jsonl').match(/Which \w+\?/g)
    assert.deepEqual(shown?.slice(-3), texts)
  })

  it('begins anew with the whole prompt when the session to resume is lost, and says so', async () => {
    const gone = { ...agent, sessionId: '00000000-0000-4000-8000-000000000000' }
    const run = execution('the whole prompt', { agent: gone })
    await run.step('prepare')
    const { stderr } = await run.step('agent')
    assert.match(stderr, /session 00000000\S+ is lost: starting anew/)
    assert.match(run.read('agent/events.jsonl'), /^[^\n]*\[slipway: session 00000000\S+ is lost: starting anew/)
    assert.equal(run.outcome().outcome, 'succeeded')
    assert.deepEqual(
      starts(run).map(({ prompt }) => prompt),
      ['the whole prompt'],
    )
  })

  it('that hits its usage limit waits for the reset, and keeps its session', async () => {
    const run = execution('HIT-LIMIT')
    await run.all()
    const result = run.result()
    assert.deepEqual([result.outcome, result.error?.category], ['budget_exceeded', 'quota'])
    assert.ok(Date.parse(result.resumeAfter ?? '') > Date.now())
    assert.ok(result.sessionId)
    assert.deepEqual(result.pushed, false)
  })

  it('with a wrong key fails as auth, and its next Job gets the credentials of now', async () => {
    const secrets = join(root, 'secret')
    mkdirSync(secrets)
    const from = join(secrets, 'key')
    writeFileSync(from, 'old')
    const run = execution('BAD-KEY', { credentialFiles: [{ from, path: '.claude/.credentials.json' }] })
    await run.step('prepare')
    await run.step('agent')
    assert.equal(run.outcome().error?.category, 'auth')
    writeFileSync(from, 'new')
    await run.step('agent', { jobNumber: 2 })
    assert.deepEqual(
      starts(run).map(({ credentials }) => credentials),
      ['old', 'new'],
    )
  })

  it('gets no credentials through a link that an earlier run left in its home', async () => {
    const from = join(root, 'login')
    writeFileSync(from, 'secret')
    const shared = join(root, 'shared')
    mkdirSync(shared)
    const run = execution('OK', { credentialFiles: [{ from, path: '.claude/.credentials.json' }] })
    await run.step('prepare')
    symlinkSync(shared, join(run.volume, 'sandboxes', 'demo', 'home', '.claude'))
    await run.step('agent')
    assert.deepEqual([run.outcome().outcome, readdirSync(shared)], ['failed', []])
  })

  it('that is killed half way is no success and says how it ended', async () => {
    const run = execution('DIE-HALFWAY')
    await run.step('prepare')
    await run.step('agent')
    assert.equal(run.outcome().outcome, 'failed')
    assert.match(run.outcome().error?.message ?? '', /ended by SIGKILL before it finished/)
    assert.deepEqual(kinds(run), ['session', 'text', 'usage', 'output'])
  })

  it('is told its budget, its model and the tools it may use', async () => {
    const limited = { ...agent, model: 'opus', allowedTools: ['Read', 'Edit'] }
    const run = execution('write it', { agent: limited, budgetUSD: 1.5 })
    await run.step('prepare')
    await run.step('agent')
    const args = starts(run)[0]?.args.join(' ') ?? ''
    assert.match(args, /--model opus/)
    assert.match(args, /--max-budget-usd 1\.5000/)
    assert.match(
      args,
      /--permission-mode dontAsk --allowedTools Read,Edit,AskUserQuestion --tools Read,Edit,AskUserQuestion/,
    )
  })
})
