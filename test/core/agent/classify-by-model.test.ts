import assert from 'node:assert/strict'
import type { Candidate } from '../../../core/agent/fitness.ts'
import { type ModelChoiceFacts, classificationName, classifyByModel } from '../../../core/agent/classify-by-model.ts'
import type { Agent, ExecutionStatus, Task } from '../../../core/crd/types.ts'
import { anAgent, anExecution, aTask } from '../../helpers/build.ts'

const NOW = new Date('2026-03-01T10:00:00Z')

function candidate(agent: Agent, unavailable?: string): Candidate {
  return { agent, unavailable, holders: [], queueLength: 0, now: NOW }
}
const classifier = candidate(anAgent({ name: 'claude', spec: { adapter: 'claude', classifier: { judges: true } } }))
const gemini = candidate(anAgent({ name: 'gemini', spec: { adapter: 'gemini', defaultModel: 'flash' } }))
const script = candidate(anAgent())

const queued = aTask({ spec: { agent: {} }, status: { state: 'QUEUED', queuedAt: '2026-03-01T09:00:00Z' } })
const asking: Task = {
  ...queued,
  status: {
    ...queued.status,
    classification: { execution: classificationName(queued), agent: 'claude', askedAt: '2026-03-01T10:00:00Z' },
  },
}
const asked = (status: ExecutionStatus) => anExecution({ name: classificationName(queued), status })

describe('a model that chooses the agent of a task', () => {
  const classify = (facts: Partial<ModelChoiceFacts>) =>
    classifyByModel({
      now: NOW,
      task: queued,
      candidates: [classifier, gemini, script],
      asked: undefined,
      answer: undefined,
      ...facts,
    })
  const COMPLETED = asked({ state: 'COMPLETED', answer: 'Usable' })

  it('is asked about the agents that could take the task, and about no script', () => {
    const choice = classify({})
    assert.ok(choice.kind === 'ask')
    assert.deepEqual(
      [choice.classifier.metadata.name, choice.open.map(({ agent }) => agent.metadata.name)],
      ['claude', ['claude', 'gemini']],
    )
  })

  it('is not asked where there is no choice, there is no classifier, or it cannot answer', () => {
    for (const candidates of [
      [classifier, script],
      [gemini, script],
      [{ ...classifier, unavailable: 'not installed' }, gemini],
    ]) {
      assert.deepEqual(classify({ candidates }), { kind: 'rules' })
    }
    const limited = { ...classifier.agent, status: { rateLimitedUntil: '2026-03-01T10:30:00Z' } }
    assert.deepEqual(
      classify({
        candidates: [candidate(limited), gemini, candidate(anAgent({ name: 'codex', spec: { adapter: 'codex' } }))],
      }),
      { kind: 'rules' },
    )
  })

  it('is waited for ten seconds and no longer', () => {
    const running = asked({ state: 'RUNNING' })
    const waiting = classify({ task: asking, asked: running, now: new Date('2026-03-01T10:00:09.999Z') })
    assert.deepEqual(waiting, { kind: 'wait', until: new Date('2026-03-01T10:00:10Z') })
    const late = classify({ task: asking, asked: running, now: new Date('2026-03-01T10:00:10Z') })
    assert.deepEqual(late, { kind: 'rules', reason: 'agent claude gave no answer within 10 s' })
  })

  it('has its word count when it names one of them, with the reason kept', () => {
    const choice = classify({ task: asking, asked: COMPLETED, answer: { agent: 'gemini', reason: 'It is small.' } })
    const reason = 'agent claude chose gemini: It is small.'
    assert.deepEqual(choice, {
      kind: 'chosen',
      agent: { type: 'gemini', model: 'flash', chosenBy: 'Model', reason },
    })
  })

  it('leaves it to the rules when it names a script or nobody, fails, or was deleted', () => {
    for (const agent of ['script', 'nobody']) {
      const { kind } = classify({ task: asking, asked: COMPLETED, answer: { agent, reason: 'x' } })
      assert.equal(kind, 'rules', agent)
    }
    assert.equal(classify({ task: asking, asked: asked({ state: 'FAILED' }) }).kind, 'rules')
    assert.equal(classify({ task: asking }).kind, 'rules')
  })

  it('is asked anew when the task is queued again', () => {
    const again = { ...asking, status: { ...asking.status, queuedAt: '2026-03-01T09:30:00Z' } }
    const choice = classify({ task: again, asked: COMPLETED, answer: { agent: 'gemini', reason: 'of before' } })
    assert.ok(choice.kind === 'ask')
    assert.notEqual(choice.execution, asking.status?.classification?.execution)
  })

  it('is asked anew when the task is queued again within the same second', () => {
    const queuedAt = (ms: string): typeof queued => ({
      ...queued,
      status: { ...queued.status, queuedAt: `2026-03-01T10:00:00.${ms}000Z` },
    })
    assert.notEqual(classificationName(queuedAt('100')), classificationName(queuedAt('400')))
  })

  it('has a name that fits a label and is none that a task could give its executions', () => {
    const uid = '0f8fad5b-d9cb-469f-a165-70867728950e'
    const status = { ...queued.status, queuedAt: '2026-03-01T10:00:00.123000Z' }
    const name = classificationName({ ...queued, metadata: { ...queued.metadata, uid }, status })
    assert.match(name, /^classify-[0-9a-f]{32}-q[0-9a-z]+$/)
    assert.ok(name.length <= 56)
  })
})
