import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { EMPTY_TASK, parseDraft, parseNewTaskSearch, toTaskCreate } from '../../../web/features/new-task/task-form.ts'

describe('the form of a new task', () => {
  it('sends what was filled in, and nothing else', () => {
    assert.deepEqual(toTaskCreate({ ...EMPTY_TASK, name: ' Fix it ' }), { name: 'Fix it' })
    const form = {
      ...EMPTY_TASK,
      name: 'A',
      agent: 'script',
      instructions: 'true',
      budget_usd: '1.5',
      depends_on: ['b'],
    }
    assert.deepEqual(toTaskCreate({ ...form, run_policy: 'auto' }), {
      name: 'A',
      depends_on: ['b'],
      budget_usd: 1.5,
      agent: { type: 'script', instructions: 'true' },
      run_policy: 'auto',
    })
  })

  it('comes back from its draft, and from no other text', () => {
    const form = { ...EMPTY_TASK, name: 'A', depends_on: ['x'], description: 'long\ntext' }
    assert.deepEqual(parseDraft(JSON.stringify(form)), form)
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json()),
        (text) => Object.keys(parseDraft(text)).length === Object.keys(EMPTY_TASK).length,
      ),
    )
    assert.deepEqual(parseDraft('{"name": 7, "depends_on": [1]}'), EMPTY_TASK)
  })

  it('takes from the address what it belongs to', () => {
    assert.deepEqual(parseNewTaskSearch({ story: 's', parent: '', project: 3 }), { story: 's' })
  })
})
