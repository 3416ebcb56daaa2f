/** Checks of work of the real CLIs: what is red goes back to the same conversation, and what is never mended to a person. */
import assert from 'node:assert/strict'
import { asRecord } from '../../core/json.ts'
import { until } from '../helpers/until.ts'
import { CLAUDE, CODEX, GEMINI, type Words } from './programs.ts'
import { type AgentRig, DEADLINE_MS, loginOf, startAgentRig } from './rig.ts'

const CHECK = 'grep -qx hello hello.txt || { echo "expected hello, found $(cat hello.txt)"; exit 3; }'
/** Of every request: the scripted model reads 100 tokens and writes 20. */
const PRICES = { input_per_million: 1000, output_per_million: 1000 }

describe('the real CLIs in a project with a check', function () {
  let rig: AgentRig

  before(async () => {
    // One installation for all: what differs is the agent of each task.
    rig = await startAgentRig('codex', (url) => ({
      ...loginOf('claude', url),
      ...loginOf('gemini', url),
      ...loginOf('codex', url),
    }))
    const checks = [{ name: 'test', run: CHECK }]
    const fields = { remote_url: rig.remote.path, checks, max_check_rounds: 1, on_accept: 'merge' }
    const made = await rig.server.call('POST', '/api/projects', { id: 'checked', name: 'Checked', ...fields })
    assert.equal(made.status, 201, made.text)
    for (const agent of ['gemini', 'codex']) {
      const priced = await rig.server.call('PUT', `/api/agents/${agent}`, { prices: PRICES })
      assert.equal(priced.status, 200, priced.text)
    }
  })
  after(() => rig.stop())

  const submit = ({ program, agent }: Words, id: string): Promise<void> =>
    rig.submit(id, { repository_url: undefined, project: 'checked', agent: { type: program, ...agent } })
  const records = (list: unknown) => (Array.isArray(list) ? list.map(asRecord) : [])
  const checksOf = ({ checks }: Readonly<Record<string, unknown>>): unknown[] =>
    records(checks).map(({ name, state, round, exit_code }) => [name, state, round, exit_code])
  const isPushed = (id: string): boolean => rig.remote.git('branch', '--list', `slipway/${id}`) !== ''

  for (const words of [CLAUDE, GEMINI, CODEX])
    it(`lets ${words.program} mend in its session what is red, and delivers what is green`, async () => {
      const id = `mended-by-${words.program}`
      const meanwhile = async () => {
        const [pushed, told] = [isPushed(id), JSON.stringify(rig.model.asked.at(-1)?.body)]
        const [{ state }, [execution = {}]] = await Promise.all([rig.server.task(id), rig.executions(id)])
        return { pushed, told, state, execution }
      }
      let between: ReturnType<typeof meanwhile> | undefined
      rig.model.play([
        words.runs('echo helo > hello.txt'),
        { kind: 'say', text: 'Created hello.txt' },
        () => {
          between = meanwhile()
          return words.runs('echo hello > hello.txt')
        },
        { kind: 'say', text: 'Corrected it' },
      ])
      await submit(words, id)
      const task = await rig.reaches(id, 'READY')

      const second = await between
      assert.ok(second)
      assert.deepEqual([second.state, second.pushed, second.execution['rounds']], ['RUNNING', false, 2])
      assert.deepEqual(checksOf(second.execution), [['test', 'failed', 1, 3]])
      const places = [`Do ${id}.`, 'echo helo', 'Created hello.txt', 'Check test: exit code 3', 'found helo'].map(
        (text) => second.told.indexOf(text),
      )
      assert.ok(places[0] !== -1, 'the first prompt is part of the conversation')
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )

      const executions = await rig.executions(id)
      const [execution = {}] = executions
      assert.equal(executions.length, 1)
      assert.deepEqual(checksOf(execution), [
        ['test', 'failed', 1, 3],
        ['test', 'passed', 2, 0],
      ])
      assert.deepEqual(checksOf(task), [['test', 'passed', 2, 0]])
      assert.match(String(execution['session_id']), /./)
      assert.equal(execution['session_id'], second.execution['session_id'])
      assert.deepEqual([task['summary'], rig.model.asked.length], ['Corrected it', 4])
      const head = rig.remote.git('rev-parse', `slipway/${id}`)
      assert.deepEqual([records(task['checks'])[0]?.['commit'], execution['head']], [head, head])
      assert.equal(rig.remote.git('show', `slipway/${id}:hello.txt`), 'hello')
      const [first, whole] = [second.execution, execution].map((record) => Number(record['cost_usd']))
      assert.ok(first !== undefined && first > 0)
      assert.equal(whole?.toFixed(6), (2 * first).toFixed(6))
      assert.equal(task['cost_usd'], execution['cost_usd'])
    })

  it('holds back what claude never mends, until a person waives the check, and merges it when accepted', async () => {
    const main = rig.remote.git('rev-parse', 'main')
    rig.model.play([CLAUDE.runs('echo helo > hello.txt')], { kind: 'say', text: 'It is right as it is' })
    await submit(CLAUDE, 'held')
    const held = await rig.reaches('held', 'FAILED')
    assert.deepEqual([held['error_category'], isPushed('held')], ['checks', false])
    assert.match(String(held['error']), /^check test is red: exit code 3; .*\(waive\)$/)
    const [execution = {}] = await rig.executions('held')
    assert.deepEqual(checksOf(execution), [
      ['test', 'failed', 1, 3],
      ['test', 'failed', 2, 3],
    ])
    const asked = rig.model.asked.length
    await rig.act('held', 'waive', { reason: 'helo is meant' })
    await until('it is READY', async () => (await rig.server.task('held'))['state'] === 'READY', DEADLINE_MS)
    const ready = await rig.server.task('held')
    assert.equal(asRecord(ready['checks_waived'])['reason'], 'helo is meant')
    assert.deepEqual([rig.model.asked.length, rig.remote.git('rev-parse', 'main')], [asked, main])
    await rig.act('held', 'accept')
    await until('it is merged', () => rig.remote.git('rev-parse', 'main') !== main, DEADLINE_MS)
    assert.equal(rig.remote.git('show', 'main:hello.txt'), 'helo')
    assert.equal((await rig.reaches('held', 'COMPLETED'))['error'], undefined)
  })
})
