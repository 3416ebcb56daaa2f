import assert from 'node:assert/strict'
import { unavailableReason } from '../../../core/agent/availability.ts'
import { anAgent } from '../../helpers/build.ts'

const REPLAY = ['/usr/bin/node', '/opt/slipway/replay.js']
const PLAIN = { isolation: 'none', allowUnsandboxed: false, embedded: true, replay: REPLAY } as const

describe('what runs where nothing isolates agents', () => {
  const reasonOf = (command: readonly string[], adapter: 'claude' | 'script' = 'claude') =>
    unavailableReason(anAgent({ spec: { adapter, command: [...command] } }), PLAIN)

  it('is a script, and a recording, which do what their author wrote', () => {
    assert.equal(reasonOf(['anything'], 'script'), undefined)
    assert.equal(reasonOf([...REPLAY, 'claude']), undefined)
  })

  for (const command of [['claude'], ['/tmp/evil', '/opt/slipway/replay.js'], ['/usr/bin/node'], []])
    it(`is not ${JSON.stringify(command)}`, () => {
      assert.match(reasonOf(command) ?? '', /runs only in isolation/)
    })

  it('is no recording of an agent with variables of its own, which may lead the player elsewhere', () => {
    const spec = { adapter: 'claude' as const, command: [...REPLAY, 'claude'], credentials: { secretName: 'mine' } }
    assert.match(unavailableReason(anAgent({ spec }), PLAIN) ?? '', /runs only in isolation/)
  })

  it('is no recording where the installation plays none', () => {
    const agent = anAgent({ spec: { adapter: 'claude', command: [...REPLAY] } })
    assert.match(
      unavailableReason(agent, { isolation: 'none', allowUnsandboxed: false, embedded: true }) ?? '',
      /runs only in isolation/,
    )
  })
})
