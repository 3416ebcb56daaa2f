import assert from 'node:assert/strict'
import { sayMessages, tellEarlierMessages, tellMessages } from '../../../core/prompts/messages.ts'

const first = { id: 'aaaa1111', by: 'ada', at: '2026-11-27T20:00:00Z', text: 'Use the new API.\n' }
const second = { id: 'bbbb2222', at: '2026-11-27T20:01:00Z', text: 'And write a test.' }

describe('messages in a prompt', () => {
  it('stand under one heading in their order, each with its sender, time and id', () => {
    assert.equal(
      tellMessages([first, second]),
      '\n## Messages sent to you while you worked\n\n' +
        'From ada, 2026-11-27T20:00:00Z, message aaaa1111:\n\nUse the new API.\n\n' +
        'From a person, 2026-11-27T20:01:00Z, message bbbb2222:\n\nAnd write a test.\n',
    )
  })

  it('that an earlier session was told stand under a heading of their own', () => {
    assert.equal(
      tellEarlierMessages([first]),
      '\n## Messages sent earlier to whoever worked on this; they hold for you too\n\n' +
        'From ada, 2026-11-27T20:00:00Z, message aaaa1111:\n\nUse the new API.\n',
    )
  })

  it('say of one that may have reached the agent that it is not to be followed twice', () => {
    assert.match(tellMessages([{ ...first, uncertain: true }]), /message aaaa1111 \(you may have seen it already; .*again\):/)
  })

  it('add nothing to a prompt where there are none', () => {
    assert.deepEqual([tellMessages([]), tellEarlierMessages([])], ['', ''])
  })
})

describe('messages to a running agent', () => {
  it('name their senders, so that the agent can tell them from the rest', () => {
    assert.equal(
      sayMessages([first, second]),
      'Message from ada:\n\nUse the new API.\n\nMessage from a person:\n\nAnd write a test.',
    )
  })
})
