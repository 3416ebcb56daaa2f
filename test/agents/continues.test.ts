/** A task that goes on from accepted work of the real CLIs: in a copy of its session, though clone and home are gone. */
import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../helpers/until.ts'
import { CLAUDE, CODEX } from './programs.ts'
import { type AgentRig, DEADLINE_MS, startAgentRig } from './rig.ts'

for (const words of [CLAUDE, CODEX])
  describe(`the real ${words.program}, asked for one more thing after its work was accepted`, function () {
    let rig: AgentRig

    before(async () => (rig = await startAgentRig(words.program)))
    after(() => rig.stop())

    const agent = { type: words.program, ...words.agent }
    const told = (): string => JSON.stringify(rig.model.asked[0]?.body)
    const notices = (execution: string): string =>
      rig
        .conversation(execution)
        .map(({ text }) => String(text))
        .filter((text) => text.startsWith('[slipway: '))
        .join('\n')
    const kept = (): string => rig.installation.executionFile('first-1', `session.${words.program}.jsonl`)

    it('begins with a copy of its session, in another folder, when the clone and the home are gone', async () => {
      rig.model.play([words.writes, { kind: 'say', text: 'Created hello.txt' }])
      await rig.submit('first', { agent })
      await rig.reaches('first', 'READY')
      await rig.act('first', 'accept')
      const sandbox = join(rig.installation.dataDir, 'volume', 'sandboxes', 'first')
      await until('its workspace is gone', () => !existsSync(sandbox), DEADLINE_MS)
      assert.ok(existsSync(kept()))
      rig.model.play([words.runs('echo two > two.txt'), { kind: 'say', text: 'Said two' }])
      await rig.submit('second', { agent, continues: 'first' })
      const task = await rig.reaches('second', 'READY')
      const places = ['Do first.', 'Created hello.txt', 'Do second.'].map((text) => told().indexOf(text))
      assert.ok(places[0] !== -1, 'the first prompt is part of the conversation')
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
      assert.match(notices('second-1'), /begins with a copy of the session of task first/)
      assert.deepEqual([task['summary'], rig.model.asked.length], ['Said two', 2])
      assert.equal(rig.remote.git('show', 'slipway/second:two.txt'), 'two')
      // Its branch begins where that of any task does: nothing has merged the first one's.
      assert.throws(() => rig.remote.git('show', 'slipway/second:hello.txt'))
    })

    it('goes on in that session after a person asked for changes', async () => {
      rig.model.play([{ kind: 'say', text: 'Said three' }])
      await rig.act('second', 'revise', { comment: 'Say three.' })
      await rig.reaches('second', 'READY')
      assert.ok(told().includes('Created hello.txt') && told().includes('Said two'))
    })

    it('is told what that work did where its session is gone, and says so', async () => {
      rmSync(kept())
      rig.model.play([{ kind: 'say', text: 'Done' }])
      await rig.submit('third', { agent, continues: 'first' })
      await rig.reaches('third', 'READY')
      assert.ok(!told().includes('Do first.') && told().includes('Created hello.txt'), 'only its summary')
      assert.match(notices('third-1'), /goes on from task first in a new session, told what that task did/)
    })
  })
