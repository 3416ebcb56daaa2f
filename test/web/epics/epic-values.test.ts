import assert from 'node:assert/strict'
import { toEpicEdit, toEpicForm } from '../../../web/features/epics/epic-values.ts'
import { anEpicRecord } from '../records.ts'

describe('the form of an epic', () => {
  it('stores no colour for an epic without one, unless a person chooses it', () => {
    const plain = anEpicRecord()
    assert.deepEqual(toEpicEdit(plain, { ...toEpicForm(plain), name: 'Other' }), {
      name: 'Other',
      priority: 0,
      description: null,
    })
    assert.equal(toEpicEdit(plain, { ...toEpicForm(plain), color: '#ff0000' }).color, '#ff0000')
  })
})
