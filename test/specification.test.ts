import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = 'docs/specification.md'

/** `specification §4.2`, `specification.md §4.2, §4.9 and §6`: what of the repository refers to a rule or a section. */
const REFERENCE = /(?:[sS]pecification(?:\.md\)?)?,?|^  rule:) ((?:§\d+(?:\.\d+)?(?:, | and )?)+)/gm
/** What nobody who clones the project can open. */
const UNREACHABLE = /interface specification|decisions,? (?:sections?|§)|interface\.md|decisions\.md|\bissue \d+\b/i

describe('docs/specification.md', () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  const sections = [...page.matchAll(/^## (\d+) /gm)].map(([, number]) => Number(number))
  const rules = [...page.matchAll(/^- \*\*(\d+)\.(\d+)/gm)].map(([, section, rule]) => ({
    section: Number(section),
    rule: Number(rule),
  }))

  it('numbers its sections and rules without a gap, in order', () => {
    assert.deepEqual(
      sections,
      sections.map((_, i) => i + 1),
    )
    for (const section of sections) {
      const own = rules.filter((rule) => rule.section === section).map(({ rule }) => rule)
      assert.deepEqual(
        own,
        own.map((_, i) => i + 1),
        `section ${section}`,
      )
    }
  })

  it('has every rule that code, tests and pages refer to', () => {
    const known = new Set([
      ...sections.map((section) => `§${section}`),
      ...rules.map(({ section, rule }) => `§${section}.${rule}`),
    ])
    const unknown = trackedTexts().flatMap(({ path, text }) =>
      [...text.matchAll(REFERENCE)]
        .flatMap(([, list]) => list?.match(/§\d+(?:\.\d+)?/g) ?? [])
        .filter((reference) => !known.has(reference))
        .map((reference) => `${path}: ${reference}`),
    )
    assert.deepEqual(unknown, [])
  })

  it('is what they cite: nothing refers to a text that is not in the repository', () => {
    const found = trackedTexts()
      .filter(({ path }) => path !== 'test/specification.test.ts')
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, i) => (UNREACHABLE.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
      )
    assert.deepEqual(found, [])
  })
})

function trackedTexts(): { path: string; text: string }[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0')
  const paths = listed.filter((path) => /\.(ts|mjs|js|md|ya?ml|toml|json|sh)$|(^|\/)run$|Dockerfile$/.test(path))
  return paths
    .filter((path) => path !== 'package-lock.json')
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}
