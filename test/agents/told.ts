/** What every program must do with what a person says to it while it works, through all of Slipway. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { until } from '../helpers/until.ts'
import type { Words } from './programs.ts'
import { type AgentRig, DEADLINE_MS } from './rig.ts'

/** Works until the test lets it end. */
const WAITS = 'touch works; until [ -e go ]; do sleep 0.1; done; rm works go; echo ran'

export function itIsTold(words: Words, get: () => AgentRig): void {
  it('is told by a person over REST while its tool runs, and that changes what it does', async () => {
    const rig = get()
    const prompt = (): string => JSON.stringify(rig.model.asked.at(-1)?.body)
    rig.model.play([words.runs(WAITS)], () => ({
      kind: 'say',
      text: prompt().includes('Use tabs.') ? 'Tabs' : 'Spaces',
    }))
    await rig.submit('told', { agent: { type: words.program, ...words.agent } })
    const clone = join(rig.installation.dataDir, 'volume', 'sandboxes', 'told', 'repo')
    await until('its tool runs', () => existsSync(join(clone, 'works')), DEADLINE_MS)
    await rig.act('told', 'messages', { text: 'Use tabs.' })
    const inbox = rig.installation.executionFile('told-1', 'inbox')
    await until('the message is in its inbox', () => readdirSync(inbox).length > 0, DEADLINE_MS)
    writeFileSync(join(clone, 'go'), '')
    const task = await rig.reaches('told', 'READY')
    assert.equal(task['summary'], 'Tabs')
    const [execution] = await rig.executions('told')
    const messages = Array.isArray(execution?.['messages']) ? execution['messages'].map(asRecord) : []
    assert.deepEqual(
      messages.map(({ text, uncertain }) => [text, uncertain]),
      [['Use tabs.', undefined]],
    )
    assert.match(String(messages[0]?.['delivered_at']), /^20/)
    const said = rig.conversation('told-1').filter(({ kind }) => kind === 'message')
    assert.deepEqual(
      said.map(({ id, text }) => [id, text]),
      [[messages[0]?.['id'], 'Use tabs.']],
    )
  })
}
