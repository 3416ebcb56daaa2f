/** Messages to the real CLIs while they work: the runner is the real one, and nobody but the test writes the inbox. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { asRecord } from '../../core/json.ts'
import type { InboxMessage } from '../../core/execution/messages.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type TestExecution, finish, makeExecution, makeFolder, removeFolder } from '../runner/execution.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { CLAUDE, CODEX, GEMINI, type Words } from './programs.ts'
import { DEADLINE_MS, codexConfig, loginOf } from './rig.ts'
import type { Script, Turn } from './turn.ts'

for (const words of [CLAUDE, CODEX, GEMINI])
  describe(`the real ${words.program} that is told something while it works`, function () {
    let [root, model]: [string, ModelServer | undefined] = ['', undefined]
    const getModel = (): ModelServer => model ?? assert.fail('no model')

    beforeEach(async () => {
      root = makeFolder()
      model = await startModelServer()
    })
    afterEach(async () => {
      await getModel().stop()
      removeFolder(root)
    })

    const run = (then: Script, ...turns: Script[]) => startRun(root, getModel(), words, turns, then)

    /** Says which of the texts it was told, in their order in its prompt. */
    const repeats = (): Turn => {
      const found = JSON.stringify(getModel().asked.at(-1)?.body).match(/Use [ABC]!/g) ?? []
      return { kind: 'say', text: found.join(' ') || 'Nothing' }
    }

    it('hears what waits in its queue when its turn has ended, in order, and what it used is added', async () => {
      const { execution, ended, send, isWorking, go } = await run(repeats, words.runs(WAITS))
      await isWorking()
      send('message2', 'Queue', 'Use B!', 2)
      send('message1', 'Queue', 'Use A!', 1)
      go()
      await ended
      const { outcome, summary, tokens, sessionId } = execution.outcome()
      assert.deepEqual([outcome, summary], ['succeeded', 'Use A! Use B!'], execution.read('agent/stdout.log'))
      const [, first, last] = getModel().asked
      assert.ok(!JSON.stringify(first?.body).includes('Use A!'))
      assert.ok(JSON.stringify(last?.body).includes('Do it'), 'the session goes on')
      // Each of the model's answers has used 100 and 20.
      const answers = getModel().asked.length
      assert.ok(answers >= 3, String(answers))
      assert.deepEqual(
        [(tokens?.input ?? 0) + (tokens?.cacheRead ?? 0), tokens?.output],
        [100 * answers, 20 * answers],
        JSON.stringify(tokens),
      )
      assert.equal(receipts(execution).filter(({ state }) => state === 'given').length, 2)
      assert.ok(sessionId)
    })

    if (words !== CLAUDE) return

    it('hears what steers it after the tool that runs, in the same turn', async () => {
      const { execution, ended, send, isWorking, go } = await run(repeats, words.runs(WAITS))
      await isWorking()
      send('message1', 'Steer', 'Use A!', 1)
      send('message2', 'Steer', 'Use B!', 2)
      await until('it has them in its queue', () => queued(execution).length >= 2, DEADLINE_MS)
      go()
      await ended
      assert.equal(execution.outcome().summary, 'Use A! Use B!', execution.read('agent/stdout.log'))
      assert.equal(getModel().asked.length, 2)
      const kinds = events(execution).flatMap(({ kind }) =>
        kind === 'message' || kind === 'tool_result' || kind === 'result' ? [kind] : [],
      )
      assert.deepEqual(kinds, ['tool_result', 'message', 'message', 'result'])
    })

    for (const [what, turn] of [
      ['a tool that never ends', CLAUDE.runs('tail -f /dev/null & touch "$SERVICE_DROP_DIR/works"; wait')],
      ['an answer that never ends', { kind: 'stall', text: 'I write a very long answer' }],
    ] as const)
      it(`is stopped in ${what}, and goes on with what it is told`, async () => {
        const { execution, ended, send, isWorking } = await run(repeats, turn)
        if (turn.kind === 'stall') await until('it is asked', () => getModel().asked.length === 1, DEADLINE_MS)
        else await isWorking()
        await until('it has begun', () => events(execution).length > 0, DEADLINE_MS)
        send('message1', 'Interrupt', 'Use C!', 1)
        await until('it is asked again', () => getModel().asked.length === 2, DEADLINE_MS)
        const [, second] = getModel().asked
        await ended
        const { outcome, summary, costUSD = 0, error } = execution.outcome()
        assert.deepEqual([outcome, summary, error], ['succeeded', 'Use C!', undefined])
        assert.ok(costUSD > 0.0012 && costUSD < 0.0017, String(costUSD))
        // The CLI's own limits would end either as well, minutes later, and say something else.
        assert.match(JSON.stringify(second?.body), /Request interrupted by user/)
      })

    it('hears nothing more once it has asked a person', async () => {
      const question = {
        question: 'Which?',
        header: 'W',
        options: ['A', 'B'].map((label) => ({ label, description: label })),
        multiSelect: false,
      }
      const asks: Turn = { kind: 'use', tool: 'AskUserQuestion', input: { questions: [question] } }
      const { execution, ended, send, isWorking, go } = await run(repeats, CLAUDE.runs(WAITS), asks)
      await isWorking()
      send('message1', 'Queue', 'Use A!', 1)
      go()
      await ended
      assert.equal(execution.outcome().outcome, 'blocked')
      assert.deepEqual(receipts(execution), [])
    })
  })

/** Runs until the test lets it end. */
const WAITS = 'touch "$SERVICE_DROP_DIR/works"; until [ -e "$SERVICE_DROP_DIR/go" ]; do sleep 0.1; done; echo ran'

async function startRun(root: string, model: ModelServer, words: Words, turns: readonly Script[], then: Script) {
  const { program, agent } = words
  model.play(turns, then)
  const login = loginOf(program, model.url)
  const path = [process.env['SLIPWAY_TEST_AGENTS'], process.env['PATH']].join(delimiter)
  const spec = { agent: { name: program, adapter: program, ...agent }, hasInbox: true, passEnv: Object.keys(login) }
  const execution = makeExecution(
    root,
    makeRemote(root, { a: '1' }),
    'Do it',
    { ...spec, timeoutSeconds: 170 },
    {
      ...login,
      PATH: path,
    },
  )
  await execution.step('prepare')
  if (program === 'codex') {
    const folder = join(execution.volume, 'sandboxes', 'demo', 'home', '.codex')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'config.toml'), codexConfig(model.url))
  }
  const drop = (name: string): string => join(execution.volume, 'drops', name)
  return {
    execution,
    ended: finish(execution.start('agent')),
    send(id: string, mode: InboxMessage['mode'], text: string, second: number): void {
      const message = { schemaVersion: 1, id, by: 'ada', at: `2026-11-27T20:00:0${second}Z`, mode, text }
      const inbox = join(execution.folder, 'inbox')
      mkdirSync(inbox, { recursive: true })
      writeFileSync(join(inbox, 'new'), JSON.stringify(message))
      renameSync(join(inbox, 'new'), join(inbox, `${id}.json`))
    },
    isWorking: () => until('its tool runs', () => existsSync(drop('works')), DEADLINE_MS),
    go: () => writeFileSync(drop('go'), ''),
  }
}

function linesOf({ folder }: TestExecution, file: string): readonly Readonly<Record<string, unknown>>[] {
  const path = join(folder, 'agent', file)
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => asRecord(JSON.parse(line)))
}

const receipts = (execution: TestExecution) => linesOf(execution, 'receipts.jsonl')
const events = (execution: TestExecution) => linesOf(execution, 'events.jsonl')

/** What claude has read of the messages, as it notes in its session: it may come to its input long after that was written. */
function queued({ volume }: TestExecution): string[] {
  const folder = join(volume, 'sandboxes', 'demo', 'home', CLAUDE.sessions)
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const sessions = names.filter((name) => name.endsWith('.jsonl'))
  const lines = sessions.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return lines
    .filter((line) => line.includes('"operation":"enqueue"'))
    .flatMap((line) => line.match(/Use [ABC]!/g) ?? [])
}
