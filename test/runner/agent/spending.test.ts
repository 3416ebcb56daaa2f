import assert from 'node:assert/strict'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type TestExecution, finish, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const FAKE = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'agents', 'claude.mjs')
const claude = { name: 'claude', adapter: 'claude', command: [process.execPath, FAKE] }
const prices = { inputPerMillion: 1000, outputPerMillion: 10_000 }

describe('what an agent has spent', function () {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  async function prepared(prompt: string, spec: Partial<RunSpec>): Promise<TestExecution> {
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), prompt, spec)
    await execution.step('prepare')
    return execution
  }

  const said = (execution: TestExecution) => execution.read('agent/events.jsonl')

  it('is estimated for a claude that was killed before it told, and said to be', async () => {
    const execution = await prepared('DIE-HALFWAY', { agent: claude })
    const { stderr } = await execution.step('agent')
    const { costUSD = 0, tokens } = execution.outcome()
    assert.deepEqual(tokens, { input: 100, output: 20, cacheRead: 5, cacheWrite: 0 })
    assert.ok(costUSD > 0 && costUSD < 0.01, String(costUSD))
    const notice = /claude was ended before it told its cost: < \$0\.01 is estimated/
    assert.match(stderr, notice)
    assert.match(said(execution).trim().split('\n').at(-1) ?? '', notice)
  })

  it('is, for a claude that was killed, what the Agent’s prices say', async () => {
    const execution = await prepared('DIE-HALFWAY', { agent: { ...claude, prices } })
    await execution.step('agent')
    const { costUSD = 0 } = execution.outcome()
    assert.ok(Math.abs(costUSD - 0.305) < 1e-9, String(costUSD))
    assert.doesNotMatch(said(execution), /estimated/)
  })

  it('is the sum of its Jobs when the login was refused on the way, of which the second goes on in the session', async () => {
    const execution = await prepared('REFUSED-MIDWAY', { agent: claude })
    await execution.step('agent')
    const first = execution.outcome()
    assert.deepEqual([first.error?.category, first.costUSD, first.turns], ['auth', 0.1, 2])
    const { sessionId = '' } = first
    await execution.step('agent', { jobNumber: 2, keepClone: true, agent: { ...claude, sessionId } })
    const { outcome, costUSD = 0, tokens, turns, sessionId: second } = execution.outcome()
    assert.deepEqual([outcome, turns, second], ['succeeded', 4, sessionId])
    assert.ok(Math.abs(costUSD - 0.35) < 1e-9, String(costUSD))
    assert.deepEqual(tokens, { input: 200, output: 40, cacheRead: 10, cacheWrite: 0 })
    await execution.step('deliver', { jobNumber: 2 })
    assert.equal(execution.result().costUSD, costUSD)
  })

  /** A codex with a session of so many input tokens before, which grows by a hundred and then does what `then` says. */
  function codex(then: string): string {
    const script = join(root, 'codex')
    const count = (input: number) =>
      JSON.stringify({
        payload: { info: { total_token_usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: 0 } } },
      })
    const file = '"$HOME/.codex/sessions/2026/01/01/rollout-x-th-1.jsonl"'
    const lines = [
      '#!/bin/bash',
      'mkdir -p "$HOME/.codex/sessions/2026/01/01"',
      `echo '{"type":"thread.started","thread_id":"th-1"}'`,
      `if [ -e ${file} ]; then total=200; else total=100; fi`,
      `if [ $total = 100 ]; then echo '${count(100)}' >> ${file}; else echo '${count(200)}' >> ${file}; fi`,
      then,
    ]
    writeFileSync(script, `${lines.join('\n')}\n`)
    chmodSync(script, 0o755)
    return script
  }
  const agent = (command: string, more: Partial<RunSpec['agent']> = {}) => ({
    name: 'team',
    adapter: 'codex',
    command: [command],
    ...more,
  })
  const ends = `echo '{"type":"turn.completed","usage":{"input_tokens":'$total',"cached_input_tokens":0,"output_tokens":0}}'`

  it('by a codex is what each run has used, though codex tells that of its whole session', async () => {
    const command = codex(ends)
    const execution = await prepared('x', { agent: agent(command, { prices }) })
    await execution.step('agent')
    const first = execution.outcome()
    const next = { execution: 'demo-2', keepClone: true, agent: agent(command, { prices, sessionId: 'th-1' }) }
    const second = makeExecution(root, { path: execution.spec.repositoryUrl }, 'x', next)
    await second.step('agent')
    const used = { input: 100, output: 0, cacheRead: 0, cacheWrite: 0 }
    assert.deepEqual([first.tokens, second.outcome().tokens], [used, used])
    assert.deepEqual([first.costUSD, second.outcome().costUSD], [0.1, 0.1])
    assert.match(said(second), /"usage","tokens":\{"input":100,/)
  })

  it('by a codex that was killed is known from its session', async () => {
    const execution = await prepared('x', { agent: agent(codex('kill -9 $$'), { prices }) })
    await execution.step('agent')
    const { outcome, tokens, costUSD } = execution.outcome()
    assert.deepEqual([outcome, tokens?.input, costUSD], ['failed', 100, 0.1])
  })

  it('by a codex with prices is no more than its budget: it is ended, and a person is asked', async () => {
    const execution = await prepared('x', { agent: agent(codex('sleep 600'), { prices }), budgetUSD: 0.05 })
    await execution.step('agent')
    const { outcome, error, costUSD } = execution.outcome()
    assert.deepEqual([outcome, error?.category, costUSD], ['budget_exceeded', 'budget', 0.1])
    assert.match(error?.message ?? '', /raise budget_usd and resume the task/)
  })

  it('by a codex without prices is unknown, which the conversation says where there is a budget', async () => {
    const execution = await prepared('x', { agent: agent(codex(ends)), budgetUSD: 0.05 })
    await execution.step('agent')
    assert.deepEqual([execution.outcome().outcome, execution.outcome().costUSD], ['succeeded', undefined])
    assert.match(said(execution), /^[^\n]*\[slipway: budget_usd cannot be kept: agent team tells no cost/)
  })

  it('is not read through a link that an agent left in the place of its session', async () => {
    const elsewhere = join(root, 'elsewhere')
    const execution = await prepared('x', {
      agent: agent(
        codex(`mv "$HOME/.codex/sessions" ${elsewhere}; ln -s ${elsewhere} "$HOME/.codex/sessions"; kill -9 $$`),
      ),
    })
    const child = execution.start('agent')
    await finish(child)
    await until('the session lies elsewhere', () => existsSync(elsewhere))
    assert.equal(execution.outcome().tokens, undefined)
  })
})
