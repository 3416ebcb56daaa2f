/** axe-core on the page as it is now. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { asRecord } from '../../core/json.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails with each violation of WCAG 2.2 AA and of good practice, and with the elements that it concerns. */
export async function assertAccessible(page: Page): Promise<void> {
  // Over the debugger, to which the content security policy does not apply.
  await page.evaluate(source)
  const results: unknown = await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })',
  )
  const violations = asRecord(results)['violations']
  assert.ok(Array.isArray(violations))
  const found = violations
    .map(asRecord)
    .map(({ id, nodes }) => ({ id, nodes: Array.isArray(nodes) ? nodes.map(describeNode) : [] }))
  assert.deepEqual(found, [])
}

function describeNode(node: unknown): string {
  const { target, failureSummary } = asRecord(node)
  return `${JSON.stringify(target)}: ${String(failureSummary)}`
}

/** The same in both themes. */
export async function assertAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await assertAccessible(page)
  }
  await page.emulateMedia({ colorScheme: null })
}
