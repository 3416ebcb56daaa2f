import assert from 'node:assert/strict'
import { containerWords, eventWords } from '../../../web/model/kubernetes-words.ts'

describe('the words about what Kubernetes does', () => {
  it('say of a container what it does, how it ended, and why', () => {
    const words = (container: object): string => containerWords({ name: 'agent', restarts: 0, ...container })
    assert.equal(words({}), 'not started')
    assert.equal(words({ state: 'running' }), 'running')
    assert.equal(
      words({ state: 'waiting', reason: 'ImagePullBackOff', message: 'no such image' }),
      'waiting: ImagePullBackOff, no such image',
    )
    assert.equal(
      words({ state: 'terminated', exit_code: 0, reason: 'Completed', message: '{"schemaVersion":1}' }),
      'terminated with 0: Completed',
    )
    assert.equal(words({ state: 'terminated', exit_code: 1, restarts: 2 }), 'terminated with 1, restarted 2 times')
    assert.equal(words({ state: 'running', restarts: 1 }), 'running, restarted once')
  })

  it('show what would turn the text, and how often it happened', () => {
    const event = { id: 'e', message: 'pulled \u202egpj.exe', count: 1 }
    assert.equal(eventWords(event), 'pulled [U+202E]gpj.exe')
    assert.equal(eventWords({ ...event, message: 'again', count: 3 }), 'again (3 times)')
    assert.match(containerWords({ name: 'a', restarts: 0, state: 'waiting', message: '\u202e' }), /U\+202E/)
  })
})
