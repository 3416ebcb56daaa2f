import assert from 'node:assert/strict'
import { fieldChanges } from '../../../web/model/field-changes.ts'
import { aStoryRecord } from '../records.ts'

describe('what somebody else has made of a record', () => {
  it('names the fields that differ, with the lines that do', () => {
    const before = aStoryRecord({ name: 'Old', spec: 'One\nTwo', priority: 3 })
    const now = aStoryRecord({ name: 'Old', spec: 'One\nThree' })
    const changes = fieldChanges(before, now, [
      { label: 'Name', textOf: ({ name }) => name },
      { label: 'Specification', textOf: ({ spec = '' }) => spec },
      { label: 'Priority', textOf: ({ priority }) => String(priority) },
    ])
    assert.deepEqual(changes, [
      {
        label: 'Specification',
        lines: [
          { kind: 'kept', text: 'One' },
          { kind: 'removed', text: 'Two' },
          { kind: 'added', text: 'Three' },
        ],
      },
      {
        label: 'Priority',
        lines: [
          { kind: 'removed', text: '3' },
          { kind: 'added', text: '0' },
        ],
      },
    ])
  })
})
