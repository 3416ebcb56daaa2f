import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readContract } from './rows.ts'

describe('the rows of the contract', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'slipway-contract-'))
    mkdirSync(join(root, 'test', 'contract'), { recursive: true })
  })
  afterEach(() => rmSync(root, { recursive: true }))

  function given(rows: readonly object[], tests: string): void {
    writeFileSync(join(root, 'test', 'contract', 'rows.yaml'), JSON.stringify(rows))
    writeFileSync(join(root, 'test', 'contract', 'section-3.test.ts'), tests)
  }
  const accept = { id: '3.task.accept', says: 'READY | accept', rule: '§5.3' }

  it('each have a test, or say why not', () => {
    const { rows, tests } = readContract(join(import.meta.dirname, '..', '..', '..'))
    const open = rows.filter(({ missing }) => missing !== undefined).map(({ id, missing }) => `${id}: ${missing}`)
    process.stdout.write(`${rows.length} statements, ${tests.length} tests; without: ${open.join(', ') || 'none'}\n`)
    assert.ok(rows.length > 0)
  })

  it('are read with the titles of their tests', () => {
    given(
      [accept],
      "row('3.task.accept', 'is COMPLETED', async () => {})\nrow(\n  '3.task.accept',\n  \"isn't READY\",\n",
    )
    const titles = readContract(root).tests.map(({ title }) => title)
    assert.deepEqual(titles, ['is COMPLETED', "isn't READY"])
  })

  const faults: readonly [what: string, rows: readonly object[], tests: string, message: RegExp][] = [
    ['a row has no test', [accept], '', /3\.task\.accept has no test/],
    ['a test names no row', [], "row('3.x', 'is so', f)", /no row is called 3\.x/],
    ['a row stands twice', [accept, accept], "row('3.task.accept', 'is so', f)", /3\.task\.accept stands twice/],
    [
      'a row that is said to lack a test has one',
      [{ ...accept, missing: 'later' }],
      "row('3.task.accept', 'x', f)",
      /has a test/,
    ],
    ['a title is computed', [accept], "row('3.task.accept', title, f)", /written out/],
    [
      'another test is not there',
      [{ ...accept, also: ['test/contract/section-3.test.ts › gone'] }],
      "row('3.task.accept', 'x', f)",
      /› gone/,
    ],
  ]
  for (const [what, rows, tests, message] of faults)
    it(`are refused when ${what}`, () => {
      given(rows, tests)
      assert.throws(() => readContract(root), message)
    })
})
