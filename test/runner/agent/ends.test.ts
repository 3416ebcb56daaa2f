import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { runPaths } from '../../../runner/context.ts'
import { agent } from '../../../runner/steps/agent.ts'
import { manualClock } from '../../helpers/clock.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type TestExecution, finish, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const FAKE = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'agents', 'claude.mjs')
const claude = { name: 'claude', adapter: 'claude', command: [process.execPath, FAKE] }

describe('the end of an agent’s program', function () {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  async function prepared(prompt: string, spec: Partial<RunSpec>): Promise<TestExecution> {
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), prompt, spec)
    await execution.step('prepare')
    return execution
  }

  const says = (execution: TestExecution, text: string) => () =>
    existsSync(join(execution.folder, 'agent/events.jsonl')) && execution.read('agent/events.jsonl').includes(text)

  /** Runs the agent's step in this process, where only its clock moves time: once `isReady`, by `ms`, then on. */
  async function runUntil(execution: TestExecution, isReady: () => boolean, ms: number): Promise<void> {
    const clock = manualClock()
    const context = { run: execution.spec, paths: runPaths(execution.spec), clock, env: process.env, tmp: root }
    let isOver = false
    const ended = agent({ ...context, signal: new AbortController().signal, say: () => undefined }).then(
      () => (isOver = true),
    )
    await until('the program has come so far', isReady)
    await clock.advance(ms)
    await until('the step has ended', async () => {
      await clock.advance(300)
      return isOver
    })
    await ended
  }

  it('by its time limit tells what a claude has cost until then', async () => {
    const execution = await prepared('TAKE-FOREVER', { agent: claude, timeoutSeconds: 60 })
    await runUntil(execution, says(execution, 'This takes long.'), 60_000)
    const { outcome, costUSD, sessionId } = execution.outcome()
    assert.deepEqual([outcome, costUSD], ['timed_out', 0.12])
    assert.ok(sessionId)
  })

  it('by a cancel tells what a claude has cost until then', async () => {
    const execution = await prepared('TAKE-FOREVER', { agent: claude })
    const child = execution.start('agent')
    const end = finish(child)
    await until('claude is at work', says(execution, 'This takes long.'))
    child.kill('SIGTERM')
    await end
    assert.deepEqual([execution.outcome().outcome, execution.outcome().costUSD], ['cancelled', 0.12])
  })

  it('is a success for a claude that has said so, though something in its background outlasts the time limit', async () => {
    const execution = await prepared('STAY', { agent: claude, timeoutSeconds: 600 })
    await runUntil(execution, says(execution, 'All is done.'), 600_000)
    const { outcome, error, summary } = execution.outcome()
    assert.deepEqual([outcome, error, summary], ['succeeded', undefined, 'All is done.'])
  })

  /** A gemini that prints these lines and then does not go away. */
  function lingering(...lines: readonly object[]): RunSpec['agent'] {
    const script = join(root, 'gemini')
    const output = lines.map((line) => JSON.stringify(line)).join('\n')
    writeFileSync(script, `#!/bin/bash\ncat <<'END'\n${output}\nEND\ntrap '' TERM; sleep 600\n`)
    chmodSync(script, 0o755)
    return { name: 'gemini', adapter: 'gemini', command: [script] }
  }
  const init = { type: 'init', session_id: 's-1', model: 'x' }
  const done = { type: 'message', role: 'assistant', content: 'All is done.', delta: true }

  it('is a success for a gemini that has said so and lingers, long before the time limit', async () => {
    const gemini = lingering(init, done, { type: 'result', status: 'success', stats: {} })
    const execution = await prepared('Do it', { agent: gemini, timeoutSeconds: 3600 })
    await runUntil(execution, says(execution, '"kind":"result"'), 30_000)
    const { outcome, error, summary } = execution.outcome()
    assert.deepEqual([outcome, error, summary], ['succeeded', undefined, 'All is done.'])
  })

  it('is the failure that a lingering gemini has told', async () => {
    const error = { message: '[API Error: models/x is not found for API version v1beta]' }
    const gemini = lingering(init, { type: 'result', status: 'error', error })
    const execution = await prepared('Do it', { agent: gemini, timeoutSeconds: 3600 })
    await runUntil(execution, says(execution, '"kind":"result"'), 30_000)
    assert.match(execution.outcome().error?.message ?? '', /models\/x is not found.*choose a model/)
  })

  const missing = [
    [
      ['/no/such/claude'],
      /^agent team: its command \/no\/such\/claude does not exist where it runs: correct spec\.command/,
    ],
    [['no-such-claude'], /^agent team: its command no-such-claude is not on PATH where it runs/],
    [[FAKE.replace('claude.mjs', '')], /^agent team: its command .* cannot be started|is not executable/],
  ] as const
  for (const [command, message] of missing) {
    it(`is none at all where the command is ${command[0]}: nothing counts against the agent, which is named`, async () => {
      const execution = await prepared('x', { agent: { name: 'team', adapter: 'claude', command: [...command] } })
      await execution.step('agent')
      await execution.step('deliver')
      const { error } = execution.result()
      assert.equal(error?.category, 'unavailable')
      assert.match(error.message, message)
    })
  }

  it('comes after words that are shown while they are said, without the secrets that lie in several pieces of them', async () => {
    const execution = await prepared('TALK', { agent: claude, passEnv: ['AGENT_TOKEN'] })
    await execution.step('agent')
    const events = execution.read('agent/events.jsonl').trim().split('\n')
    const texts = events.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'text')
    assert.ok(texts.length > 2 && texts.length < 20, `${texts.length} events`)
    const said = texts.map(({ text }) => String(text)).join('')
    assert.equal(said, `My token is [redacted], and that is ${'very '.repeat(200)}secret.`)
    const stdout = readFileSync(join(execution.folder, 'agent/stdout.log'), 'utf8')
    assert.match(stdout, /My token is \[redacted\]/)
    assert.doesNotMatch(stdout, /stream_event/)
  })
})
