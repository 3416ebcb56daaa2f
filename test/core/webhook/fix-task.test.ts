import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { crdField } from '../../../core/crd-field.ts'
import type { CiFailure } from '../../../core/webhook/event.ts'
import { appendFailure, fixDescription, fixTitle } from '../../../core/webhook/fix-task.ts'

const aFailure: CiFailure = {
  kind: 'check_run',
  id: '1',
  attempt: 1,
  name: 'test',
  commit: '0123456789abcdef0123456789abcdef01234567',
  conclusion: 'failure',
  repository: { name: 'app', urls: [] },
  facts: [],
}

const anything = fc.string({ unit: 'binary', maxLength: 300 })
const failures: fc.Arbitrary<CiFailure> = fc
  .record({ name: anything, branch: fc.option(anything, { nil: undefined }), report: anything })
  .map(({ branch, ...rest }) => ({ ...aFailure, ...rest, ...(branch === undefined ? {} : { branch }) }))

const fits = (path: string, text: string): boolean => {
  const { pattern = '', maxLength = 0 } = crdField('Task', path)
  return new RegExp(pattern).test(text) && Array.from(text).length <= maxLength
}

describe('the task that a failure in CI makes', () => {
  it('has a title and a description that a Task may have, whatever CI calls its checks', () => {
    fc.assert(
      fc.property(failures, (failure) => {
        const title = fixTitle(failure)
        assert.ok(fits('spec.title', title), JSON.stringify(title))
        const description = fixDescription(failure, undefined)
        assert.ok(fits('spec.description', description))
        assert.ok(fits('spec.description', appendFailure(description, failure, undefined)))
      }),
    )
  })

  it('says in one line what failed and where', () => {
    assert.equal(
      fixTitle({ ...aFailure, name: 'unit\ntests', branch: 'main' }),
      'Fix unit tests on main (0123456789ab)',
    )
  })
})
