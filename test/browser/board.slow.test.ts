import assert from 'node:assert/strict'
import type { Browser, Locator, Page } from 'playwright-core'
import { until } from '../helpers/until.ts'
import { type Server, makeInstallation } from '../system/installation.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

/** Drags as a hand does: press, move in steps, let go. */
async function drag(page: Page, from: Locator, to: Locator, side: 'top' | 'bottom' = 'top'): Promise<void> {
  // Once it stands still, and nothing lies over it.
  await from.hover()
  await page.mouse.down()
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  assert.ok(start !== null && end !== null)
  await page.mouse.move(start.x + start.width / 2 + 8, start.y + start.height / 2 + 8, { steps: 4 })
  const y = side === 'top' ? end.y + 5 : end.y + end.height - 5
  await page.mouse.move(end.x + end.width / 2, y, { steps: 8 })
  await page.mouse.move(end.x + end.width / 2 + 1, y, { steps: 2 })
  await page.mouse.up()
}

/** Where the texts of a card begin, from the left. */
const LEFT_OF_TEXTS = `(() => {
  const lefts = {}
  const texts = document.createTreeWalker(document.querySelector('[data-story="bare"]'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const range = document.createRange()
    range.selectNode(texts.currentNode)
    lefts[texts.currentNode.data] = range.getBoundingClientRect().left
  }
  return lefts
})()`

const WIDTHS_OF_BOARD = `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('[data-scroller]'))`

interface Named {
  getAttribute(name: string): string | null
}

const NOTE_SHIFT = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value
  }).observe({ type: 'layout-shift', buffered: true })
`

describe('the Stories board in a browser', function () {
  const installation = makeInstallation()
  let browser: Browser
  let server: Server

  before(async function () {
    browser = await launch(demandBrowser(this))
    server = await installation.start()
    await server.call('POST', '/api/epics', { id: 'checkout', name: 'Checkout', color: '#3b5bdb' })
    for (const [id, status, epic_id] of [
      ['one', 'BACKLOG', 'checkout'],
      ['two', 'BACKLOG', 'checkout'],
      ['three', 'BACKLOG', 'checkout'],
      ['alone', 'BACKLOG', undefined],
      ['under-way', 'IN_PROGRESS', 'checkout'],
    ] as const)
      await server.call('POST', '/api/stories', { id, name: `Story ${id}`, status, ...(epic_id && { epic_id }) })
  })
  after(async () => {
    await browser?.close()
    await installation.dispose()
  })

  const card = (page: Page, id: string): Locator => page.locator(`[data-story="${id}"]`)
  const cell = (page: Page, lane: string, column: string): Locator =>
    page.locator(`[data-lane="${lane}"] [data-column="${column}"]`)
  const shownIn = async (page: Page, lane: string, column: string): Promise<string[]> => {
    const cards = cell(page, lane, column).locator('[data-story]')
    return cards.evaluateAll((all: Named[]) => all.map((shown) => shown.getAttribute('data-story') ?? ''))
  }
  const stored = async (): Promise<Map<string, number>> => {
    const { text } = await server.call('GET', '/api/stories')
    const list = JSON.parse(text) as { id: string; priority: number; status: string }[]
    return new Map(list.map(({ id, priority }) => [id, priority]))
  }
  const openBoard = async (expected: readonly RegExp[] = []) => {
    const tab = await openTab(browser, `${server.program.url}/stories`, { expected })
    await card(tab.page, 'one').waitFor()
    await tab.page.getByText('Live', { exact: true }).waitFor()
    return tab
  }

  it('has a column per status, a lane per epic and one for the rest, with counts and a meter', async () => {
    const tab = await openBoard()
    const { page } = tab
    await becomes(
      () => page.locator('h2').allTextContents(),
      ['Discovery · Framing 0', 'Backlog 4', 'Prioritized 0', 'In progress 1', 'Validating · Review 0', 'Done 0'],
    )
    await page.getByRole('region', { name: 'Checkout' }).getByText('0 / 4 done').waitFor()
    await becomes(() => shownIn(page, '-', 'backlog'), ['alone'])
    await assertAccessibleInBothThemes(page)
    const lane = page.getByRole('button', { name: /^Unassigned/ })
    await lane.click()
    await card(page, 'alone').waitFor({ state: 'detached' })
    await becomes(() => lane.getAttribute('aria-expanded'), 'false')
    await card(page, 'one').waitFor()
    await lane.click()
    await card(page, 'alone').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows all six columns at 1,280 pixels, and projects by their names', async () => {
    await server.call('POST', '/api/projects', { id: 'p-1', name: 'The shop', remote_url: 'https://git.example/s.git' })
    await server.call('POST', '/api/stories', { id: 's-1', name: 'Named', status: 'PRIORITIZED', project_id: 'p-1' })
    const tab = await openTab(browser, `${server.program.url}/stories`, { viewport: { width: 1280, height: 800 } })
    const { page } = tab
    await card(page, 's-1').getByText('The shop').waitFor()
    assert.doesNotMatch(await card(page, 's-1').innerText(), /p-1|s-1/)
    await until('it fits', async () => {
      const [inner, outer] = await page.evaluate<readonly number[]>(WIDTHS_OF_BOARD)
      return inner === outer
    })
    for (const head of await page.locator('h2').all()) assert.ok(await head.isVisible())
    await server.call('DELETE', '/api/stories/s-1')
    assertNoProblems(tab)
    await tab.close()
  })

  it('draws no lane before it knows the epics, and does not jump', async () => {
    const tab = await openTab(browser, 'about:blank')
    const { page } = tab
    await page.addInitScript(NOTE_SHIFT)
    let release = (): void => undefined
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/epics', async (route) => {
      await isReleased
      await route.continue()
    })
    const read = ['stories', 'tasks', 'projects'].map((kind) => page.waitForResponse(`**/api/${kind}`))
    await page.goto(`${server.program.url}/stories`)
    await Promise.all(read)
    await page.getByRole('status', { name: 'The stories are being read' }).waitFor()
    assert.equal(await page.locator('[data-story]').count(), 0)
    release()
    await card(page, 'one').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    const shift = Number(await page.evaluate('shift'))
    assert.ok(shift <= 0.02, String(shift))
    assertNoProblems(tab)
    await tab.close()
  })

  it('says that a story has no tasks where its title begins', async () => {
    await server.call('POST', '/api/stories', { id: 'bare', name: 'Story bare', status: 'VALIDATING' })
    const { status } = await server.call('PUT', '/api/stories/bare/status', { status: 'REVIEW_READY' })
    assert.equal(status, 200)
    const tab = await openBoard()
    await card(tab.page, 'bare').getByText('no tasks').waitFor()
    const lefts = await tab.page.evaluate<Readonly<Record<string, number>>>(LEFT_OF_TEXTS)
    assert.ok(lefts['no tasks'] !== undefined)
    assert.equal(lefts['no tasks'], lefts['Story bare'])
    await server.call('DELETE', '/api/stories/bare')
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps the order that a drag makes: the first numbers the column, a later one writes one story', async () => {
    const tab = await openBoard()
    const { page } = tab
    const before = await shownIn(page, 'checkout', 'backlog')
    const [first = '', , last = ''] = before
    const puts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') puts.push(`${new URL(request.url()).pathname} ${request.postData()}`)
    })
    await drag(page, card(page, last), card(page, first))
    await until('the first drag is stored', async () => ![...(await stored()).values()].slice(0, 4).includes(0))
    assert.equal(puts.length, 1)
    assert.match(puts.pop() ?? '', /^\/api\/stories\/order \{"ids":\[("[a-z]+",?){4}\]\}$/)
    const after = [last, ...before.filter((id) => id !== last)]
    await until(
      'the card is shown there',
      async () => (await shownIn(page, 'checkout', 'backlog')).join() === after.join(),
    )
    await drag(page, card(page, after[2] ?? ''), card(page, after[0] ?? ''))
    await until('it is the first', async () => (await shownIn(page, 'checkout', 'backlog'))[0] === after[2])
    // The card is shown there before the server is asked.
    await until('it is written', () => puts.length > 0)
    assert.equal(puts.length, 1)
    const body = puts[0]?.split(' ')[1] ?? ''
    assert.match(body, /^\{"priority":-?\d+\}$/)
    await until('the server has it', async () => `{"priority":${(await stored()).get(after[2] ?? '')}}` === body)
    await page.reload()
    await card(page, 'one').waitFor()
    await becomes(() => shownIn(page, 'checkout', 'backlog'), [after[2] ?? '', after[0] ?? '', after[1] ?? ''])
    assertNoProblems(tab)
    await tab.close()
  })

  it('moves a card by keys, keeps the focus on it and tells where it stands', async () => {
    const tab = await openBoard()
    const { page } = tab
    const [first = '', second = '', third = ''] = await shownIn(page, 'checkout', 'backlog')
    await card(page, first).getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowDown')
    const moved = [second, first, third].join()
    await until('it went down', async () => (await shownIn(page, 'checkout', 'backlog')).join() === moved)
    await page.getByText('Moved to place 2 of 3.').waitFor({ state: 'attached' })
    await until(
      'it has the focus',
      async () => (await page.evaluate('document.activeElement.closest("[data-story]")?.dataset.story')) === first,
    )
    assertNoProblems(tab)
    await tab.close()
  })

  it('refuses a drop in another column or lane, visibly, and stores nothing', async () => {
    const tab = await openBoard()
    const { page } = tab
    const before = await stored()
    await drag(page, card(page, 'one'), cell(page, 'checkout', 'prioritized'))
    await page.getByText('A card stays in Backlog: its column is its status').waitFor()
    await drag(page, card(page, 'one'), card(page, 'alone'))
    await page.getByText('A card stays in its lane').waitFor()
    await card(page, 'one').getByRole('link').focus()
    await page.keyboard.press('Alt+ArrowRight')
    await page.getByText('A card stays in its column').waitFor()
    assert.deepEqual(await stored(), before)
    assertNoProblems(tab)
    await tab.close()
  })

  it('takes a move back that the server refuses, and says why', async () => {
    const tab = await openBoard([/409/])
    const { page } = tab
    const before = await shownIn(page, 'checkout', 'backlog')
    await page.route('**/api/stories/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 409, json: { error: 'the server says no' } })
        : route.continue(),
    )
    await drag(page, card(page, before[2] ?? ''), card(page, before[0] ?? ''))
    await page.getByText('stays where it was: the server says no').waitFor()
    await becomes(() => shownIn(page, 'checkout', 'backlog'), before)
    assertNoProblems(tab)
    await tab.close()
  })

  it('takes a whole new order back that the server refuses, and makes the next one', async () => {
    for (const id of ['p1', 'p2', 'p3', 'p4', 'p5'])
      await server.call('POST', '/api/stories', { id, name: `Story ${id}`, status: 'PRIORITIZED', epic_id: 'checkout' })
    const tab = await openBoard([/409/])
    const { page } = tab
    await card(page, 'p5').waitFor()
    const before = await shownIn(page, 'checkout', 'prioritized')
    const moveFirstDown = async (): Promise<void> => {
      await card(page, before[0] ?? '')
        .getByRole('link')
        .focus()
      await page.keyboard.press('Alt+ArrowDown')
    }
    await page.route('**/api/stories/order', (route) =>
      route.fulfill({ status: 409, json: { error: 'the server says no' } }),
    )
    await moveFirstDown()
    await page.getByText('stays where it was: the server says no').waitFor()
    await becomes(() => shownIn(page, 'checkout', 'prioritized'), before)
    await page.unroute('**/api/stories/order')
    await moveFirstDown()
    const [moved = '', second = '', ...rest] = before
    await until('it is stored', async () => (await stored()).get(moved) !== 0)
    await becomes(() => shownIn(page, 'checkout', 'prioritized'), [second, moved, ...rest])
    assertNoProblems(tab)
    await tab.close()
  })

  it('shows in a second tab at once what happens in the first, and what others do', async () => {
    const [one, two] = [await openBoard(), await openBoard()]
    const [first = '', , third = ''] = await shownIn(one.page, 'checkout', 'backlog')
    await drag(one.page, card(one.page, third), card(one.page, first))
    await until('both agree', async () => (await shownIn(two.page, 'checkout', 'backlog'))[0] === third)
    await server.call('POST', '/api/stories', { id: 'new', name: 'New story', status: 'PRIORITIZED' })
    for (const { page } of [one, two]) await card(page, 'new').waitFor()
    await server.call('DELETE', '/api/stories/new')
    for (const { page } of [one, two]) await card(page, 'new').waitFor({ state: 'detached' })
    for (const tab of [one, two]) {
      assertNoProblems(tab)
      await tab.close()
    }
  })

  it('ends in one order for two people who move the same cards at the same moment', async () => {
    const [one, two] = [await openBoard(), await openBoard()]
    const [first = '', second = '', third = ''] = await shownIn(one.page, 'checkout', 'backlog')
    const orders = (): Promise<string[]> =>
      Promise.all([one, two].map(async ({ page }) => (await shownIn(page, 'checkout', 'backlog')).join()))
    const possible = [`${second},${first},${third}`, `${first},${third},${second}`]
    // Neither hears of the other before both have moved.
    let release = (): void => undefined
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    for (const { page } of [one, two]) {
      await page.route('**/api/stories/**', async (route) => {
        await isReleased
        await route.continue()
      })
      await card(page, second).getByRole('link').focus()
    }
    await Promise.all([one.page.keyboard.press('Alt+ArrowUp'), two.page.keyboard.press('Alt+ArrowDown')])
    await becomes(orders, possible)
    release()
    await until('both show one of the two orders', async () => {
      const [mine = '', other] = await orders()
      const priorities = await stored()
      const inStore = [first, second, third].toSorted((a, b) => (priorities.get(a) ?? 0) - (priorities.get(b) ?? 0))
      return mine === other && possible.includes(mine) && inStore.join() === mine
    })
    // Whoever was last, the next move stands where it was put.
    await card(one.page, third).getByRole('link').focus()
    const before = await shownIn(one.page, 'checkout', 'backlog')
    const isLast = before[2] === third
    await one.page.keyboard.press(isLast ? 'Alt+ArrowUp' : 'Alt+ArrowDown')
    const expected = isLast ? [before[0], third, before[1]] : [before[0], before[2], third]
    await until('both have it', async () => (await orders()).every((shown) => shown === expected.join()))
    for (const tab of [one, two]) {
      assertNoProblems(tab)
      await tab.close()
    }
  })

  it('ends in one order for two people who number the same column at the same moment', async () => {
    const ids = ['d1', 'd2', 'd3', 'd4']
    for (const id of ids)
      await server.call('POST', '/api/stories', { id, name: `Story ${id}`, status: 'DISCOVERY', epic_id: 'checkout' })
    const [one, two] = [await openBoard(), await openBoard()]
    for (const { page } of [one, two]) await card(page, 'd4').waitFor()
    const before = await shownIn(one.page, 'checkout', 'discovery')
    await card(one.page, before[0] ?? '')
      .getByRole('link')
      .focus()
    await card(two.page, before[3] ?? '')
      .getByRole('link')
      .focus()
    await Promise.all([one.page.keyboard.press('Alt+ArrowDown'), two.page.keyboard.press('Alt+ArrowUp')])
    const agree = async (): Promise<boolean> => {
      const [mine, other] = await Promise.all(
        [one, two].map(async ({ page }) => (await shownIn(page, 'checkout', 'discovery')).join()),
      )
      const { text } = await server.call('GET', '/api/stories')
      const list = JSON.parse(text) as { id: string; priority: number; status: string }[]
      const column = list.filter(({ status }) => status === 'DISCOVERY')
      return (
        mine === other && mine === column.map(({ id }) => id).join() && column.every(({ priority }) => priority !== 0)
      )
    }
    await until('both show what is stored', agree)
    // Whatever the mixture of both, the next move stands where it was put, for both.
    const now = await shownIn(one.page, 'checkout', 'discovery')
    await card(one.page, now[2] ?? '')
      .getByRole('link')
      .focus()
    await one.page.keyboard.press('Alt+ArrowUp')
    const expected = [now[0], now[2], now[1], now[3]].join()
    await until('both have it', async () => {
      const orders = await Promise.all([one, two].map(({ page }) => shownIn(page, 'checkout', 'discovery')))
      return orders.every((shown) => shown.join() === expected)
    })
    for (const tab of [one, two]) {
      assertNoProblems(tab)
      await tab.close()
    }
  })

  it('moves a card by a menu, as on a phone, and fits there', async () => {
    const tab = await openTab(browser, `${server.program.url}/stories`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    const { page } = tab
    await cell(page, 'checkout', 'backlog').locator('[data-story]').first().waitFor()
    await becomes(() => page.evaluate('document.documentElement.scrollWidth'), 390)
    const order = await shownIn(page, 'checkout', 'backlog')
    const last = order.at(-1) ?? ''
    await card(page, last).getByRole('button', { name: 'Move' }).tap()
    await page.getByRole('dialog', { name: `Move “Story ${last}”` }).waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'To the top' }).tap()
    await until('it stands first', async () => (await shownIn(page, 'checkout', 'backlog'))[0] === last)
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps its filters in the URL', async () => {
    const tab = await openBoard()
    const { page } = tab
    await page.keyboard.press('/')
    await page.keyboard.type('under')
    await card(page, 'one').waitFor({ state: 'detached' })
    await page.waitForURL(/\?q=under$/)
    // Columns in which nothing passes leave their width to the others.
    const widthOf = async (column: string) => (await cell(page, 'checkout', column).boundingBox())?.width ?? 0
    await until('it is wider', async () => (await widthOf('in-progress')) > 2 * (await widthOf('backlog')))
    await page.goto(`${server.program.url}/stories?epic=-`)
    await card(page, 'alone').waitFor()
    await becomes(() => card(page, 'one').count(), 0)
    await page.goto(`${server.program.url}/stories?q=nothing-has-this`)
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await card(page, 'one').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('keeps the last state while the server is away, says so, and goes on with what it missed', async () => {
    const tab = await openBoard([/ERR_(CONNECTION|SOCKET)|WebSocket connection|preload assets|status of 503/])
    const { page } = tab
    const { port } = new URL(server.program.url)
    await server.program.kill()
    await page.getByText('The server cannot be reached.').waitFor()
    await becomes(() => card(page, 'one').count(), 1)
    await assertAccessibleInBothThemes(page)
    server = await installation.start('--listen', `127.0.0.1:${port}`)
    await server.call('POST', '/api/stories', { id: 'meanwhile', name: 'Made meanwhile', status: 'BACKLOG' })
    await card(page, 'meanwhile').waitFor()
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' })
    assertNoProblems(tab)
    await tab.close()
  })
})
