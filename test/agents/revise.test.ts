/** Asking for changes in work of the real CLIs: what their model is told, and that it is the same conversation. */
import assert from 'node:assert/strict'
import { CLAUDE, CODEX, GEMINI } from './programs.ts'
import { type AgentRig, startAgentRig } from './rig.ts'

for (const words of [CLAUDE, GEMINI, CODEX])
  describe(`the real ${words.program}, asked for changes in its work`, function () {
    let rig: AgentRig

    before(async () => (rig = await startAgentRig(words.program)))
    after(() => rig.stop())

    it('goes on in its session, which has its first work before the comment, and is READY again', async () => {
      rig.model.play([words.writes, { kind: 'say', text: 'Created hello.txt' }])
      await rig.submit('changed', { agent: { type: words.program, ...words.agent } })
      await rig.reaches('changed', 'READY')
      rig.model.play([words.runs('echo two > two.txt'), { kind: 'say', text: 'Said two' }])
      await rig.act('changed', 'revise', { comment: 'Say two as well.' })
      const task = await rig.reaches('changed', 'READY')
      const [first, second] = await rig.executions('changed')
      assert.equal(second?.['session_id'], first?.['session_id'])
      assert.deepEqual([task['summary'], second?.['purpose']], ['Said two', 'resume'])
      for (const [file, text] of Object.entries({ 'hello.txt': 'hello', 'two.txt': 'two' }))
        assert.equal(rig.remote.git('show', `slipway/changed:${file}`), text)
      const told = JSON.stringify(rig.model.asked[0]?.body)
      const places = ['Do changed.', 'Created hello.txt', 'Say two as well.'].map((text) => told.indexOf(text))
      assert.ok(places[0] !== -1, 'the first prompt is part of the conversation')
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
      const costs = [first, second].map((execution) => Number(execution?.['cost_usd'] ?? 0))
      assert.equal(Number(task['cost_usd'] ?? 0).toFixed(6), costs.reduce((sum, cost) => sum + cost, 0).toFixed(6))
    })
  })
