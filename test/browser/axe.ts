/** axe-core on the page as it is now. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { asRecord } from '../../core/json.ts'
import { becomes } from './browser.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 AA and good practice; of them what hangs on colours, which is all in which the themes differ. */
const RULES = {
  all: '{ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }',
  colors:
    '{ resultTypes: ["violations"], runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }',
} as const

/**
 * Waits until no rule is violated: what comes and goes, such as a message over a button, violates none. Fails with what
 * stays, and with the elements that it concerns.
 */
export async function assertAccessible(page: Page, rules: keyof typeof RULES = 'all'): Promise<void> {
  // Over the debugger, to which the content security policy does not apply.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(source)
  await becomes(() => violationsOf(page, rules), [])
}

async function violationsOf(page: Page, rules: keyof typeof RULES): Promise<unknown[]> {
  const violations = asRecord(await page.evaluate(`axe.run(document, ${RULES[rules]})`))['violations']
  assert.ok(Array.isArray(violations))
  return violations
    .map(asRecord)
    .map(({ id, nodes }) => ({ id, nodes: Array.isArray(nodes) ? nodes.map(describeNode) : [] }))
}

function describeNode(node: unknown): string {
  const { target, failureSummary } = asRecord(node)
  return `${JSON.stringify(target)}: ${String(failureSummary)}`
}

/** The same in both themes. */
export async function assertAccessibleInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await assertAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await assertAccessible(page, 'colors')
  await page.emulateMedia({ colorScheme: null })
}
