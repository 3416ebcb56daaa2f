import assert from 'node:assert/strict'
import { evaluate } from '@marcbachmann/cel-js'
import * as fc from 'fast-check'
import { findCacheProblem, findKeyProblem, findNested, placeOfCache } from '../../../core/environment/paths.ts'
import { findField, readDocuments } from '../../crds/documents.ts'

const project = readDocuments().find(({ spec }) => spec.names.kind === 'Project')
const environment = project && findField(project, '.spec.environment')

/** Whether the CRD takes a path. */
function takes(rules: readonly { readonly rule: string }[] | undefined, self: string): boolean {
  assert.ok(rules !== undefined && rules.length > 0)
  return self !== '' && rules.every(({ rule }) => evaluate(rule, { self }) === true)
}

/** Paths that are made of what the rules look at. */
const path = fc
  .array(
    fc.constantFrom('a', 'b.c', '.git', '.GIT', '.gitx', '/', '/', '~', '.', '..', '*', '"', '\\', '[', '\n', ' ', 'é'),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''))

describe('a path of an environment', () => {
  const cache = environment?.properties?.['cache']?.items?.properties?.['path']?.['x-kubernetes-validations']
  const key = environment?.properties?.['keys']?.items?.['x-kubernetes-validations']

  it('is refused for a cache where the CRD refuses it, and nowhere else', () => {
    fc.assert(
      fc.property(path, (one) => (findCacheProblem(one) === undefined) === takes(cache, one)),
      { numRuns: 2000 },
    )
  })

  it('is refused for a key where the CRD refuses it, and nowhere else', () => {
    fc.assert(
      fc.property(path, (one) => (findKeyProblem(one) === undefined) === takes(key, one)),
      { numRuns: 2000 },
    )
  })

  it('of a cache never leads out of clone or home, or into .git', () => {
    fc.assert(
      fc.property(path, (one) => {
        if (findCacheProblem(one) !== undefined) return
        const { root, segments } = placeOfCache(one)
        assert.equal(root, one.startsWith('~/') ? 'home' : 'clone')
        for (const segment of segments) assert.ok(!['', '.', '..', '.git'].includes(segment.toLowerCase()), one)
      }),
    )
  })

  it('is found inside another, or twice', () => {
    assert.deepEqual(findNested(['b', 'a/b/c', 'a-b', 'a']), ['a/b/c', 'a'])
    assert.deepEqual(findNested(['b', 'a', 'a']), ['a', 'a'])
    assert.equal(findNested(['a', 'ab', 'a-b', 'c/a', '~/a']), undefined)
  })

  it('is found inside another wherever one is', () => {
    const segments = fc.array(fc.constantFrom('a', 'b', 'a-', 'a b'), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(segments, { maxLength: 6 }), (all) => {
        const paths = all.map((one) => one.join('/'))
        const isNested = paths.some((a, i) => paths.some((b, j) => i !== j && `${a}/`.startsWith(`${b}/`)))
        assert.equal(findNested(paths) !== undefined, isNested, paths.join())
      }),
    )
  })
})
