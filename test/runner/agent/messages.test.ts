import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InboxMessage } from '../../../core/execution/messages.ts'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { runPaths } from '../../../runner/context.ts'
import { agent as runAgentStep } from '../../../runner/steps/agent.ts'
import { manualClock } from '../../helpers/clock.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type StepEnd, type TestExecution, finish, makeExecution, makeFolder, removeFolder } from '../execution.ts'

const FAKE = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'fixtures', 'agents', 'listener.mjs')
const listener = { name: 'claude', adapter: 'claude', command: [process.execPath, FAKE] }

interface Line {
  readonly at: string
  readonly kind: string
  readonly id?: string
  readonly text?: string
}

describe('messages to a running agent', function () {
  let root = ''
  beforeEach(() => (root = makeFolder()))
  afterEach(() => removeFolder(root))

  async function prepared(prompt = 'Do it', spec: Partial<RunSpec> = {}): Promise<TestExecution> {
    const execution = makeExecution(root, makeRemote(root, { a: '1' }), prompt, {
      agent: listener,
      hasInbox: true,
      ...spec,
    })
    await execution.step('prepare')
    return execution
  }

  /** As the operator does: whole, under its name at once. */
  function send({ folder }: TestExecution, id: string, mode: InboxMessage['mode'], more: object = {}): void {
    mkdirSync(join(folder, 'inbox'), { recursive: true })
    const message = { schemaVersion: 1, id, by: 'ada', at: `2026-11-27T20:00:00.${id.slice(-3)}Z`, mode, text: id }
    writeFileSync(join(folder, 'inbox', `.${id}.tmp`), JSON.stringify({ ...message, ...more }))
    renameSync(join(folder, 'inbox', `.${id}.tmp`), join(folder, 'inbox', `${id}.json`))
  }

  const drop = ({ volume }: TestExecution, name: string, content = ''): void =>
    writeFileSync(join(volume, 'drops', name), content)

  const linesOf = <T>(path: string): T[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as T)
      : []

  const conversation = ({ folder }: TestExecution) => linesOf<Line>(join(folder, 'agent/events.jsonl'))
  const receipts = ({ folder }: TestExecution) =>
    linesOf<{ id: string; state: string }>(join(folder, 'agent/receipts.jsonl')).map(
      ({ id, state }) => `${id} ${state}`,
    )
  const heard = ({ volume }: TestExecution) =>
    linesOf<{ uuid?: string; request?: { subtype: string } }>(join(volume, 'drops', 'heard.jsonl')).flatMap(
      ({ uuid, request }) => uuid ?? request?.subtype ?? [],
    )

  const says = (execution: TestExecution, text: string): Promise<void> =>
    until(`the agent says ${text}`, () => conversation(execution).some((line) => line.text === text))
  const hears = (execution: TestExecution, id: string): Promise<void> =>
    until(`the agent hears ${id}`, () => heard(execution).includes(id))
  const records = (execution: TestExecution, receipt: string): Promise<void> =>
    until(`the receipt ${receipt}`, () => receipts(execution).includes(receipt))

  /** Starts the agent's step, does something meanwhile, and waits for its end. */
  async function during(
    execution: TestExecution,
    act: () => Promise<void>,
    change?: Partial<RunSpec>,
  ): Promise<StepEnd> {
    const ended = finish(execution.start('agent', change))
    await act()
    return ended
  }

  /** Runs the agent's step in this process, where only its clock moves time. */
  function inProcess({ spec }: TestExecution) {
    const clock = manualClock()
    const { signal } = new AbortController()
    const context = { run: spec, paths: runPaths(spec), clock, env: process.env, tmp: root, signal }
    let isOver = false
    const ended = runAgentStep({ ...context, say: () => undefined }).then(() => (isOver = true))
    const end = async (): Promise<void> => {
      await until('the step has ended', async () => {
        await clock.advance(500)
        return isOver
      })
      await ended
    }
    return { clock, end }
  }

  const told = (...ids: string[]): string => ids.map((id) => `Message from ada:\n\n${id}`).join('\n\n')

  it('reach it after the tool that runs, and stand there in the conversation, if they are to steer', async () => {
    const run = await prepared()
    await during(run, async () => {
      await says(run, 'turn 1')
      send(run, 'steer001', 'Steer')
      // Its receipt is written before it is: a tool that ended between the two would end without it.
      await hears(run, 'steer001')
      assert.deepEqual(receipts(run), ['steer001 giving'])
      drop(run, 'tool-1')
      await says(run, 'tool 1')
      drop(run, 'end-1', 'ok')
    })
    assert.equal(run.outcome().summary, `Do it | ${told('steer001')}`)
    assert.deepEqual(receipts(run), ['steer001 giving', 'steer001 given'])
    const order = conversation(run).map(({ kind, text, id }) => (kind === 'text' ? text : (id ?? kind)))
    assert.deepEqual(order.slice(0, 4), ['session', 'turn 1', 'steer001', 'tool 1'])
    const [said] = conversation(run).filter(({ kind }) => kind === 'message')
    assert.ok(said)
    const { at, ...message } = said
    assert.deepEqual(message, { kind: 'message', id: 'steer001', by: 'ada', mode: 'steer', text: 'steer001' })
    assert.ok(at)
  })

  it('wait for the end of the turn in a queue, in their order, and its session goes on with them in the same Job', async () => {
    const run = await prepared()
    await during(run, async () => {
      await says(run, 'turn 1')
      send(run, 'queue002', 'Queue')
      send(run, 'queue001', 'Queue')
      drop(run, 'tool-1')
      await says(run, 'tool 1')
      drop(run, 'end-1', 'ok')
      await says(run, 'turn 2')
      assert.deepEqual(heard(run), ['queue001'])
      drop(run, 'end-2', 'ok')
    })
    assert.equal(run.outcome().summary, `Do it | ${told('queue001', 'queue002')}`)
    assert.equal(run.outcome().costUSD, 0.5)
  })

  it('that are on their way when the turn ends are heard in the next one, and once', async () => {
    const run = await prepared()
    await during(run, async () => {
      await says(run, 'turn 1')
      send(run, 'steer001', 'Steer')
      await records(run, 'steer001 giving')
      send(run, 'queue001', 'Queue')
      drop(run, 'end-1', 'ok')
      drop(run, 'end-2', 'ok')
      await says(run, 'turn 3')
      drop(run, 'end-3', 'ok')
    })
    assert.equal(run.outcome().summary, `Do it | ${told('steer001')} | ${told('queue001')}`)
    assert.deepEqual(heard(run), ['steer001', 'queue001'])
    const states = ['steer001 giving', 'steer001 given', 'queue001 giving', 'queue001 given']
    assert.deepEqual(receipts(run), states)
  })

  it('stop the turn that runs, which is no failure, and are heard next', async () => {
    const run = await prepared()
    await during(run, async () => {
      await says(run, 'turn 1')
      send(run, 'queue001', 'Queue')
      send(run, 'stops002', 'Interrupt')
      await says(run, 'turn 2')
      drop(run, 'end-2', 'ok')
    })
    assert.deepEqual(heard(run), ['interrupt', 'queue001'])
    const { outcome, summary, costUSD, exitCode } = run.outcome()
    assert.deepEqual(
      [outcome, summary, costUSD, exitCode],
      ['succeeded', `Do it | ${told('queue001', 'stops002')}`, 0.5, 0],
    )
  })

  for (const [end, outcome] of [
    ['ask', 'blocked'],
    ['limit', 'failed'],
  ] as const)
    it(`are not given after a turn that ends as ${outcome}: they are left to the next prompt`, async () => {
      const run = await prepared()
      await during(run, async () => {
        await says(run, 'turn 1')
        send(run, 'queue001', 'Queue')
        drop(run, 'end-1', end)
      })
      assert.equal(run.outcome().outcome, outcome)
      assert.deepEqual([heard(run), receipts(run)], [[], []])
    })

  it('are in the prompt of the next Job if this one was killed: those that it may have heard with a warning, and none on its stdin', async () => {
    const run = await prepared()
    const child = run.start('agent')
    await says(run, 'turn 1')
    send(run, 'steer001', 'Steer')
    await hears(run, 'steer001')
    send(run, 'queue001', 'Queue')
    child.kill('SIGKILL')
    await finish(child)
    drop(run, 'end-1', 'ok')
    await run.step('agent', { jobNumber: 2 })
    const { summary = '' } = run.outcome()
    assert.match(summary, /^Do it\n## Messages sent .*steer001 \(you may have seen it already; .*message queue001:/s)
    assert.deepEqual(heard(run), ['steer001'])
    const states = ['steer001 giving', 'queue001 giving', 'steer001 given', 'queue001 given']
    assert.deepEqual(receipts(run), states)
    const said = conversation(run).filter(({ kind }) => kind === 'message')
    assert.deepEqual(
      said.map(({ id }) => id),
      ['steer001', 'queue001'],
    )
  })

  it('that the agent never takes keep it waiting no longer than half a minute, and are not said to be given', async () => {
    const execution = await prepared('DEAF')
    const step = inProcess(execution)
    await says(execution, 'turn 1')
    send(execution, 'steer001', 'Steer')
    await until('it is on its way', async () => {
      await step.clock.advance(500)
      return heard(execution).includes('steer001')
    })
    drop(execution, 'end-1', 'ok')
    await until('its turn has ended', () => conversation(execution).some(({ kind }) => kind === 'result'))
    await step.clock.advance(29_000)
    assert.equal(execution.exists('agent/outcome.json'), false)
    await step.end()
    assert.equal(execution.outcome().outcome, 'succeeded')
    assert.deepEqual(receipts(execution), ['steer001 giving'])
  })

  it('are not looked for in an execution that says nothing of an inbox', async () => {
    const run = await prepared('Do it', { hasInbox: false })
    send(run, 'queue001', 'Queue')
    drop(run, 'end-1', 'ok')
    await run.step('agent')
    assert.equal(run.outcome().summary, 'Do it')
    assert.equal(run.exists('agent/receipts.jsonl'), false)
  })

  it('lose the secrets of the step in the conversation', async () => {
    const run = await prepared('Do it', { passEnv: ['AGENT_TOKEN'] })
    send(run, 'queue001', 'Queue', { text: 'Use from the secret.' })
    drop(run, 'end-1', 'ok')
    await run.step('agent')
    const [said] = conversation(run).filter(({ kind }) => kind === 'message')
    assert.equal(said?.text, 'Use [redacted].')
  })

  it('are read from nothing but files of the operator: no link, no half of a file, no other name', async () => {
    const run = await prepared()
    writeFileSync(join(root, 'elsewhere.json'), '{}')
    send(run, 'queue001', 'Queue')
    symlinkSync(join(root, 'elsewhere.json'), join(run.folder, 'inbox', 'linked01.json'))
    writeFileSync(join(run.folder, 'inbox', 'halfof01.json'), '{"schemaVersion": 1, "id": "half')
    writeFileSync(join(run.folder, 'inbox', '.queue003.tmp'), '{}')
    drop(run, 'end-1', 'ok')
    const { stderr } = await run.step('agent')
    assert.deepEqual(receipts(run), ['queue001 giving', 'queue001 given'])
    assert.deepEqual(stderr.match(/inbox\/\w+\.json is no message/g)?.toSorted(), [
      'inbox/halfof01.json is no message',
      'inbox/linked01.json is no message',
    ])
  })

  it('are told again, or not, to an agent that changes its receipts, and nothing is written through a link', async () => {
    const run = await prepared()
    drop(run, 'end-1', 'ok')
    send(run, 'queue001', 'Queue')
    send(run, 'queue002', 'Queue')
    run.write('agent/receipts.jsonl', 'no receipt\n{"id":"queue001","state":"given","at":"x"}\n')
    await run.step('agent')
    assert.doesNotMatch(run.outcome().summary ?? '', /queue001/)
    assert.match(run.outcome().summary ?? '', /queue002/)
    const elsewhere = join(root, 'elsewhere')
    writeFileSync(elsewhere, 'kept')
    rmSync(join(run.folder, 'agent/receipts.jsonl'))
    symlinkSync(elsewhere, join(run.folder, 'agent/receipts.jsonl'))
    await run.step('agent', { jobNumber: 2 })
    assert.match(run.outcome().summary ?? '', /queue001.*queue002/s)
    assert.equal(readFileSync(elsewhere, 'utf8'), 'kept')
    assert.deepEqual(receipts(run).length, 4)
  })

  describe('whose program takes none while it works', () => {
    const THREAD = '{"type":"thread.started","thread_id":"kept"}'
    const DONE = `{"type":"turn.completed","usage":{"input_tokens":100,"output_tokens":20}}`

    /** A codex that keeps what it is started with, and ends its turn once `end-N` is there. */
    function codex(ends = DONE): RunSpec['agent'] {
      const command = join(root, 'codex')
      const lines = [
        '#!/bin/bash',
        'cd "$SERVICE_DROP_DIR"',
        'n=$(($(ls -d started-* 2>/dev/null | wc -l) + 1))',
        'echo "$*" > started-$n.tmp; cat >> started-$n.tmp; mv started-$n.tmp started-$n',
        `echo '${THREAD}'`,
        'until [ -e end-$n ]; do sleep 0.05; done',
        `if [ $n = 1 ]; then echo '${DONE}'; else echo '${ends}'; fi`,
      ]
      writeFileSync(command, `${lines.join('\n')}\n`)
      chmodSync(command, 0o755)
      return { name: 'codex', adapter: 'codex', command: [command] }
    }

    const started = ({ volume }: TestExecution, n: number): string => {
      const path = join(volume, 'drops', `started-${n}`)
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    }

    const begins = (run: TestExecution, n: number): Promise<void> =>
      until(`run ${n} has begun`, () => started(run, n) !== '')

    it('wait for the end of its turn; it is started again in its session, and all that it used is added', async () => {
      const run = await prepared('Do it', { agent: codex() })
      await during(run, async () => {
        await begins(run, 1)
        send(run, 'steer001', 'Steer')
        send(run, 'queue002', 'Queue')
        drop(run, 'end-1')
        await begins(run, 2)
        send(run, 'queue003', 'Queue')
        drop(run, 'end-2')
        drop(run, 'end-3')
      })
      assert.match(
        started(run, 2),
        /^exec resume .* kept -\nMessage from ada:\n\nsteer001\n\nMessage from ada:\n\nqueue002$/s,
      )
      assert.match(started(run, 3), /queue003$/)
      assert.deepEqual(run.outcome().tokens, { input: 300, output: 60, cacheRead: 0, cacheWrite: 0 })
      const order = conversation(run).flatMap(({ kind, id }) => id ?? (kind === 'session' ? kind : []))
      assert.deepEqual(order, ['session', 'steer001', 'queue002', 'session', 'queue003', 'session'])
    })

    it('go on in what is left of the time', async () => {
      const run = await prepared('Do it', { agent: codex(), timeoutSeconds: 60 })
      const step = inProcess(run)
      await begins(run, 1)
      await step.clock.advance(40_000)
      send(run, 'queue001', 'Queue')
      drop(run, 'end-1')
      await begins(run, 2)
      await until('it was given', () => receipts(run).includes('queue001 given'))
      await step.clock.advance(20_000)
      await step.end()
      const { outcome, error } = run.outcome()
      assert.equal(outcome, 'timed_out')
      assert.match(error?.message ?? '', /within 60 seconds/)
    })

    it('fail as the turn does that they began', async () => {
      const run = await prepared('Do it', { agent: codex('{"type":"turn.failed","error":{"message":"no more"}}') })
      await during(run, async () => {
        await begins(run, 1)
        send(run, 'queue001', 'Queue')
        drop(run, 'end-1')
        drop(run, 'end-2')
      })
      assert.equal(run.outcome().outcome, 'failed')
    })

    it('are left to the next prompt when the budget is spent', async () => {
      const prices = { inputPerMillion: 10_000, outputPerMillion: 0 }
      const run = await prepared('Do it', { agent: { ...codex(), prices }, budgetUSD: 1 })
      await during(run, async () => {
        await begins(run, 1)
        send(run, 'queue001', 'Queue')
        drop(run, 'end-1')
      })
      assert.equal(run.outcome().outcome, 'succeeded')
      assert.deepEqual(receipts(run), [])
    })
  })
})
