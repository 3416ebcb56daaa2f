/** A person at the keyboard: nothing here moves a pointer, and nothing gives the focus to an element but a key. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** As many stops as a page may have before what is wanted. */
const MOST_STOPS = 80

/** Presses Tab, or Shift+Tab, until `wanted` has the focus. */
export async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await wanted.first().waitFor()
  const passed: string[] = []
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press(key)
    passed.push(String(await page.evaluate(FOCUSED)))
  }
  assert.fail(`${String(wanted)} is not reached with ${key}; passed: ${passed.join(' | ')}`)
}

const FOCUSED = `(({ tagName, ariaLabel, innerText, id }) => \`\${tagName}#\${id} \${ariaLabel ?? innerText.slice(0, 30)}\`)(document.activeElement ?? document.body)`

/** Goes to a control with Tab and presses Enter on it. */
export async function enter(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press('Enter')
}

/** Chooses an option of a select that has the focus, by typing what it says. */
export async function choose(page: Page, wanted: Locator, label: string): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.type(label)
}

/** Goes to the tab with that name: into the row of tabs with Tab, along it with the arrows. */
export async function openTabNamed(page: Page, name: RegExp): Promise<void> {
  const wanted = page.getByRole('tab', { name })
  await tabTo(page, page.getByRole('tab', { selected: true }))
  await wanted.waitFor()
  const focused = page.getByRole('tab').and(page.locator(':focus'))
  const tabs = await page.getByRole('tab').count()
  for (let step = 0; step < tabs && (await wanted.and(focused).count()) === 0; step++) {
    const before = await focused.getAttribute('id')
    await page.keyboard.press('ArrowRight')
    await page.locator(`[role=tab]:focus:not([id="${before}"])`).waitFor()
  }
  await page.getByRole('tab', { name, selected: true }).waitFor()
}
