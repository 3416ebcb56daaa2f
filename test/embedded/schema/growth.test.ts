import assert from 'node:assert/strict'
import { readDocuments, schemaOf } from '../../crds/documents.ts'
import type { JsonObject } from '../../../embedded/schema/json.ts'
import { compileSchema } from '../../../embedded/schema/structural.ts'
import { findGrowth } from '../../helpers/growth.ts'
import { fillEach } from '../../helpers/json-schema.ts'

/** RE2 needs up to a microsecond for a character. */
const OF_AN_OBJECT = { sizes: [60_000], suspiciousMs: 300 }

describe('the embedded control plane validates an object in a time that grows with its size alone:', function () {
  for (const crd of readDocuments()) {
    const { kind } = crd.spec.names
    const root = schemaOf(crd)
    const places = [...fillEach(root, 'x')].map(({ place }) => place)
    it(`${kind}, a text at each of ${places.length} places`, async () => {
      const schema = compileSchema(root as unknown as JsonObject)
      for (const [i, place] of places.entries())
        for (const unit of ['x', ' ', '1s', '/']) {
          const validate = (size: number): unknown => {
            const value = [...fillEach(root, `${unit.repeat(size)}\u0001`)][i]?.value as JsonObject
            return schema.validate({ ...value, apiVersion: 'x/v1', kind, metadata: { name: 'x' } })
          }
          assert.equal(await findGrowth(validate, OF_AN_OBJECT), undefined, `${place} of ${JSON.stringify(unit)}`)
        }
    })
  }
})
