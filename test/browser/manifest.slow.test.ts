import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes } from './browser.ts'
import { inBrowser } from './suite.ts'

/** What has a tab with its YAML, a field that somebody else writes, and how the YAML calls it. */
const SHOWN = [
  { what: 'a project', path: 'projects/shop', field: 'test_command', key: 'testCommand' },
  { what: 'an agent', path: 'agents/builder', field: 'instructions', key: 'instructions' },
  { what: 'a story', path: 'stories/voucher', field: 'spec', key: 'spec' },
]

describe('the YAML of a resource in a browser', function () {
  const { server, open } = inBrowser({
    async prepare({ server: { call } }) {
      await call('POST', '/api/projects', { id: 'shop', name: 'Shop', remote_url: 'https://git.example/shop.git' })
      await call('POST', '/api/agents', { id: 'builder', adapter: 'script' })
      await call('POST', '/api/stories', { id: 'voucher', name: 'Pay with a voucher' })
    },
  })

  for (const { what, path, field, key } of SHOWN)
    it(`follows what somebody else writes of ${what}, and stays where it cannot be read again`, async () => {
      const tab = await open(`/${path}`, { expected: [/404/] })
      const { page } = tab
      await page.getByRole('tab', { name: 'YAML' }).click()
      await page.getByText(/^apiVersion: /).waitFor()
      await server.call('PUT', `/api/${path}`, { [field]: 'written-elsewhere' })
      await page.getByText(`${key}: written-elsewhere`).waitFor()

      const manifest = `**/api/${path}/manifest`
      await page.route(manifest, (route) => route.fulfill({ status: 404, json: { error: 'not this time' } }))
      await server.call('PUT', `/api/${path}`, { [field]: 'written-again' })
      await page.getByText('The YAML could not be read again, and may be old').waitFor()
      await page.getByText('not this time').waitFor()
      await becomes(() => page.getByText(`${key}: written-elsewhere`).count(), 1)
      await assertAccessibleInBothThemes(page)
      await page.unroute(manifest)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText(`${key}: written-again`).waitFor()
      await page.getByText('may be old').waitFor({ state: 'detached' })
      assertNoProblems(tab)
      await tab.close()
    })
})
