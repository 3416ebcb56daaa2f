import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordPage } from '../tools/api-page/record.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CURL = join(import.meta.dirname, 'helpers', 'curl.js')

describe('docs/api.md', function () {
  this.timeout(600_000)
  let bin: string

  // In place of curl, which a machine that runs the tests need not have.
  before(() => {
    bin = mkdtempSync(join(tmpdir(), 'slipway-curl-'))
    writeFileSync(join(bin, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${CURL}' "$@"\n`)
    chmodSync(join(bin, 'curl'), 0o755)
  })
  after(() => rmSync(bin, { recursive: true, force: true }))

  it('shows what a server answers now to each of its commands', async () => {
    const page = readFileSync(join(ROOT, 'docs', 'api.md'), 'utf8')
    const now = await recordPage(page, { root: ROOT, path: [bin] })
    assert.deepEqual(differences(page, now), [], 'the page is no longer true; npm run record-api writes it anew')
  })
})

/** The commands whose output differs, with what the page shows and what came now: mocha cuts a diff of whole pages. */
function differences(page: string, now: string): { page: string; now: string }[] {
  const [shown, came] = [page, now].map((text) => text.split('\n$ '))
  return (shown ?? []).flatMap((part, index) =>
    part === came?.[index] ? [] : [{ page: part, now: came?.[index] ?? '' }],
  )
}
