import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { joinRepresentations, represent } from '../../../api-server/records/representation.ts'

describe('several representations as one', () => {
  it('are the JSON array of what each of them says, whatever that is', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (records) => {
        const { json } = joinRepresentations(records.map(represent))
        assert.equal(String(json), JSON.stringify(records))
      }),
    )
  })

  it('have the entity tag that they are given, and none otherwise', () => {
    assert.equal(joinRepresentations([represent(1)], '"a"').etag, '"a"')
    assert.equal('etag' in joinRepresentations([]), false)
  })
})
