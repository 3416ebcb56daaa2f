import assert from 'node:assert/strict'
import { evaluate } from '@marcbachmann/cel-js'
import { borrows } from '../../core/task/project.ts'
import { aProject } from '../helpers/build.ts'
import { findField, readDocuments } from './documents.ts'

const checkout = checkoutSchema()

describe('the CEL rules for what a clone of a project holds', () => {
  const passes = (name: string, self: unknown): boolean => {
    const node = name === 'sparse' ? checkout.properties?.['sparse']?.items : checkout.properties?.[name]
    return (node?.['x-kubernetes-validations'] ?? []).every(({ rule }) => evaluate(rule, { self }) === true)
  }

  for (const folder of [
    'src',
    'services/shop',
    '.github',
    'a b',
    'é/ü',
    'a..b',
    '...',
    'x.git',
    '.gitignored',
    "it's",
    '$HOME',
  ])
    it(`take the folder ${folder}`, () => {
      assert.equal(passes('sparse', folder), true)
    })

  for (const folder of [
    '..',
    'a/..',
    '../a',
    'a/../b',
    '.',
    './a',
    '/a',
    '/',
    'a/',
    'a//b',
    '-a',
    '--stdin',
    '!a',
    '#a',
    'a*',
    'a?',
    '[a]',
    'a\\b',
    '"a"',
    'a\nb',
    'a\u007f',
    '.git',
    'a/.GIT/hooks',
  ])
    it(`refuse the folder ${JSON.stringify(folder)}`, () => {
      assert.equal(passes('sparse', folder), false)
    })

  for (const filter of [
    'blob:none',
    'tree:0',
    'blob:limit=0',
    'blob:limit=1',
    'blob:limit=512k',
    'blob:limit=1m',
    'blob:limit=2g',
  ])
    it(`take the filter ${filter}`, () => {
      assert.equal(passes('filter', filter), true)
    })

  for (const filter of [
    '',
    'none',
    'blob:limit=',
    'blob:limit=1t',
    'tree:1',
    'sparse:oid=HEAD:x',
    'combine:blob:none+tree:0',
    'blob:none ',
  ])
    it(`refuse the filter ${JSON.stringify(filter)}`, () => {
      assert.equal(passes('filter', filter), false)
    })

  it('refuse to borrow where depth or filter says that a clone fetches for itself', () => {
    const [rule] = checkout['x-kubernetes-validations'] ?? []
    const takes = (self: object) => evaluate(rule?.rule ?? '', { self })
    const taken = [{}, { borrow: true }, { borrow: false, depth: 1 }, { depth: 1, filter: 'blob:none' }].map(takes)
    const refused = [
      { borrow: true, depth: 1 },
      { borrow: true, filter: 'tree:0' },
    ].map(takes)
    assert.deepEqual(
      [taken, refused],
      [
        [true, true, true, true],
        [false, false],
      ],
    )
  })
})

describe('whether clones of a project borrow from a mirror', () => {
  for (const [said, isBorrowing] of [
    [undefined, true],
    [{}, true],
    [{ borrow: true, sparse: ['a'], submodules: 'Full', lfs: 'Fetch' }, true],
    [{ borrow: false }, false],
    [{ depth: 1 }, false],
    [{ filter: 'blob:none' }, false],
  ] as const)
    it(`is ${isBorrowing} with ${JSON.stringify(said)}`, () => {
      assert.equal(borrows(aProject({ spec: said === undefined ? {} : { checkout: { ...said } } })), isBorrowing)
    })

  it('is true without a project', () => {
    assert.equal(borrows(undefined), true)
  })
})

function checkoutSchema() {
  const found = readDocuments().find(({ spec }) => spec.names.kind === 'Project')
  const node = found && findField(found, '.spec.checkout')
  assert.ok(node !== undefined)
  return node
}
