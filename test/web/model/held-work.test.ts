import assert from 'node:assert/strict'
import { WAITING } from '../../../core/sentences/waiting.ts'
import { heldWork } from '../../../web/model/held-work.ts'
import { anAgentRecord, aTaskRecord } from '../records.ts'

const words = WAITING.reviewLimit({
  kind: 'project',
  name: 'shop',
  limit: 2,
  count: 2,
  oldest: 'a',
  waitsFor: 'review',
})
const held = (id: string, type?: string) =>
  aTaskRecord({ id, state: 'QUEUED', waiting_for: words, ...(type === undefined ? {} : { agent: { type } }) })
const agents = [anAgentRecord({ id: 'claude', max_concurrent: 2 }), anAgentRecord({ id: 'codex', max_concurrent: 1 })]

describe('what waits behind reviews', () => {
  it('is counted for each project, with the slots that could work at it', () => {
    const running = aTaskRecord({ id: 'r', state: 'RUNNING', agent: { type: 'claude' } })
    const tasks = [running, held('x', 'claude'), held('y', 'claude'), held('z', 'claude')]
    assert.deepEqual(heldWork(tasks, agents), [{ kind: 'project', name: 'shop', tasks: 3, idleSlots: 1, words }])
  })

  it('has no more idle slots than tasks, and those of every agent where one is still to be chosen', () => {
    assert.equal(heldWork([held('x')], agents)[0]?.idleSlots, 1)
    assert.equal(heldWork([held('x'), held('y'), held('z'), held('w')], agents)[0]?.idleSlots, 3)
  })

  it('is nothing while tasks wait for other things', () => {
    const waiting = aTaskRecord({ id: 'x', state: 'QUEUED', waiting_for: 'agent claude is busy with r; next in line' })
    assert.deepEqual(heldWork([waiting], agents), [])
  })
})
