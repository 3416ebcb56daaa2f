import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordPage } from '../tools/api-page/record.ts'
import { needCurl } from './helpers/curl.ts'

const ROOT = join(import.meta.dirname, '..', '..')

describe('docs/api.md', function () {
  this.timeout(600_000)
  before(function () {
    needCurl(this)
  })

  it('shows what a server answers now to each of its commands', async () => {
    const page = readFileSync(join(ROOT, 'docs', 'api.md'), 'utf8')
    const now = await recordPage(page, { root: ROOT })
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
