/** The diff of a task in a browser: read, folded, commented by mouse and by keyboard, and large or hostile. */
import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { type Tab, assertNoProblems, becomes } from './browser.ts'
import { type Suite, inBrowser } from './suite.ts'

const SCRIPT = `
sed -i 's/net \\* 19/net * 20/' src/price.ts
printf 'one\\r\\n\\ttwo\\342\\200\\256\\n' > 'new file.txt'
git mv notes.md docs.md
chmod +x run.sh
`

describe('the diff of a task in a browser', function () {
  const { installation, open: openAt } = inBrowser({
    prepare: async ({ server, installation }) => {
      const remote = makeRemote(installation.folder, {
        'src/price.ts': 'export const vat = (net: number) => net * 19\nexport const none = 0\n',
        'notes.md': 'Notes\n',
        'run.sh': '#!/bin/sh\n',
      })
      await server.call('POST', '/api/projects', { id: 'shop', name: 'shop', remote_url: remote.path })
      await server.create('priced', SCRIPT, { project: 'shop' })
      await server.run('priced')
      await server.reaches('priced', 'READY')
    },
  })

  const open = async (options: Parameters<Suite['open']>[1] = {}): Promise<Tab> => {
    const tab = await openAt('/tasks/priced?tab=diff', options)
    await tab.page.locator('[data-file="src/price.ts"]').waitFor()
    return tab
  }
  const lines = (page: Page) => page.getByRole('region', { name: 'Changed lines' })

  it('shows each file with what happened to it, and no character is unseen', async () => {
    const tab = await open()
    const { page } = tab
    await becomes(() => lines(page).locator('mark').allTextContents(), ['19', '20'])
    for (const text of [
      'U+202E',
      'Renamed without a change.',
      'The mode changed from 100644 to 100755: now executable.',
    ])
      await lines(page).getByText(text, { exact: true }).waitFor()
    await becomes(() => lines(page).getByText('CR', { exact: true }).count(), 1)
    // The colours come with the grammars, and change no text.
    const coloured = (kind: string) => lines(page).locator(`[data-token="${kind}"]`)
    await becomes(async () => new Set(await coloured('keyword').allTextContents()).has('export'), true)
    await becomes(() => coloured('number').locator('mark').allTextContents(), ['19', '20'])
    await lines(page).getByText('added: export const vat = (net: number) => net * 20').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Unified' }).click()
    await assertAccessibleInBothThemes(page)
    await page.reload()
    await page.locator('[data-file="src/price.ts"]').waitFor()
    await becomes(() => page.getByRole('button', { name: 'Unified' }).getAttribute('aria-pressed'), 'true')
    assertNoProblems(tab)
    await tab.close()
  })

  it('filters its files, and folds what was viewed, also after a reload', async () => {
    const tab = await open()
    const { page } = tab
    const files = page.getByRole('navigation', { name: 'Changed files' })
    await files.getByLabel('Filter the files').fill('PRICE')
    await files.getByRole('button', { name: /price\.ts/ }).waitFor()
    await files.getByRole('button', { name: /docs\.md/ }).waitFor({ state: 'detached' })
    const header = page.locator('[data-file="src/price.ts"]')
    await header.getByLabel('Viewed').check()
    await page.getByText('1 of 4 viewed').waitFor()
    await page.reload()
    await header.waitFor()
    await becomes(() => header.getByRole('button').getAttribute('aria-expanded'), 'false')
    await header.getByLabel('Viewed').uncheck()
    await lines(page).getByText('export const none = 0').first().waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('takes comments by keys and by the gutter, and keeps them over a reload', async () => {
    const tab = await open()
    const { page } = tab
    await lines(page).focus()
    // To the header of the only file in a folder, which is first, and to its first changed line.
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    const comment = page.getByRole('textbox', { name: /^Comment on (old )?line/ }).and(page.locator(':focus'))
    await comment.waitFor()
    await page.keyboard.type('Ask the tax office.')
    await page.keyboard.press('Escape')
    await comment.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Comment on line 2', exact: true }).first().click()
    await comment.waitFor()
    await page.keyboard.type('Why?')
    await page.getByRole('button', { name: 'Keep' }).click()
    await lines(page).getByText('Why?').waitFor()
    await page.reload()
    await lines(page).getByText('Ask the tax office.').waitFor()
    await lines(page).getByText('Why?').waitFor()
    await assertAccessibleInBothThemes(page)
    const second = lines(page).getByRole('region', { name: 'Comment on line 2' })
    await second.getByRole('button', { name: 'Delete' }).click()
    await second.waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })

  it('fits a phone', async () => {
    const tab = await open({ viewport: { width: 390, height: 844 }, hasTouch: true })
    const { page } = tab
    await becomes(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    await page.getByRole('button', { name: 'Files', exact: true }).click()
    await page
      .getByRole('navigation', { name: 'Changed files' })
      .getByRole('button', { name: /docs\.md/ })
      .click()
    await lines(page).getByText('Renamed without a change.').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('opens a diff of one line of 5 MB, and one that is cut in the middle of 100,000 files', async () => {
    const file = installation.executionFile('priced-1', 'changes.diff')
    writeFileSync(
      file,
      `diff --git a/min.js b/min.js\n--- a/min.js\n+++ b/min.js\n@@ -0,0 +1 @@\n+${'x'.repeat(5_000_000)}\n`,
    )
    const path = '/tasks/priced?tab=diff'
    const first = await openAt(path)
    await first.page.getByRole('button', { name: '4,999,000 more characters' }).waitFor()
    const mode = (n: number): string =>
      `diff --git a/d${n % 9}/f${n} b/d${n % 9}/f${n}\nold mode 100644\nnew mode 100755\n`
    writeFileSync(file, `${Array.from({ length: 100_000 }, (_, n) => mode(n)).join('')}diff --git a/x b/x\n--- a/x\n`)
    assertNoProblems(first)
    await first.close()
    const tab = await openAt(path)
    const { page } = tab
    await page.getByText('100,001 files').waitFor()
    await page.getByLabel('Filter the files').fill('f77777')
    await until(
      'one file is left',
      async () => (await page.getByRole('button', { name: 'f77777', exact: true }).count()) === 1,
    )
    assertNoProblems(tab)
    await tab.close()
  })
})
