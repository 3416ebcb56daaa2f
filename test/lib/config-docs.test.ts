import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { CONFIG_SETTINGS } from '../../lib/config-schema.ts'

describe('docs/configuration.md', () => {
  const page = readFileSync('docs/configuration.md', 'utf8')

  it('has one row for each setting, and no other', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` +\| `--/gm)].map(([, key]) => key)
    assert.deepEqual(new Set(rows), new Set(CONFIG_SETTINGS.map(({ key }) => key)))
    assert.equal(rows.length, CONFIG_SETTINGS.length)
  })

  for (const { key, flag, variable } of CONFIG_SETTINGS) {
    it(`documents ${key} with flag and variable`, () => {
      assert.match(page, new RegExp(`\\| \`${key}\` +\\| \`--${flag}\` +\\| \`${variable}\` +\\|`))
    })
  }
})
