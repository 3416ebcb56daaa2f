import assert from 'node:assert/strict'
import type { Browser as Chromium, Page, Worker } from 'playwright-core'
import { TASKS } from '../../kube/resources.ts'
import { toTimestamp } from '../../core/time.ts'
import { type Rig, startRig } from '../api-server/rig.ts'
import { aTask, text } from '../helpers/build.ts'
import { type Browser, type PushService, aBrowser, startPushService } from '../helpers/push-service.ts'
import { until } from '../helpers/until.ts'
import { assertAccessibleInBothThemes } from './axe.ts'
import { assertNoProblems, becomes, demandBrowser, launch, openTab } from './browser.ts'

/**
 * Takes the place of the browser's push service, which is on the internet: a subscription that this page keeps, at an
 * endpoint of the tests. All else is the browser's own: permission, registration, worker, notifications.
 */
const FAKE_PUSH = `(given) => {
  const make = (key) => ({
    endpoint: given.endpoint,
    options: { userVisibleOnly: true, applicationServerKey: key },
    toJSON: () => given,
    unsubscribe: async () => (sessionStorage.removeItem('fake-push'), true),
  })
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer
  PushManager.prototype.getSubscription = async () => {
    const key = sessionStorage.getItem('fake-push')
    return key === null ? null : make(bytes(key))
  }
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new DOMException('silent push', 'NotAllowedError')
    sessionStorage.setItem('fake-push', applicationServerKey)
    return make(bytes(applicationServerKey))
  }
}`

describe('notifications in a browser', function () {
  let chromium: Chromium
  let service: PushService
  let rig: Rig
  before(async function () {
    chromium = await launch(demandBrowser(this, { notifies: true }))
    service = await startPushService('https')
    rig = await startRig({ push: { allowPrivate: true, ca: service.ca, isOnlyServer: true } })
  })
  after(async () => {
    await chromium?.close()
    await rig?.stop()
    await service?.stop()
  })

  /** Settings in a browser that would subscribe at `path` of the tests' push service. */
  async function openSettings(path: string) {
    const browser = aBrowser(`${service.url}${path}`)
    const tab = await openTab(chromium, 'about:blank', { expected: [/about:blank/] })
    const { page } = tab
    await page.context().grantPermissions(['notifications'], { origin: rig.url })
    await page.addInitScript(`(${FAKE_PUSH})(${JSON.stringify(browser.subscription)})`)
    await page.goto(`${rig.url}/settings`)
    return { tab, page, browser }
  }

  /** The worker that the page has registered, and what makes it receive a message as from a push service. */
  async function workerOf(page: Page) {
    const devtools = await page.context().newCDPSession(page)
    const registrations: string[] = []
    devtools.on('ServiceWorker.workerRegistrationUpdated', (event) =>
      registrations.push(...event.registrations.map(({ registrationId }) => registrationId)),
    )
    await devtools.send('ServiceWorker.enable')
    await until('the worker is registered', () => registrations.length > 0)
    await until('the worker runs', () => page.context().serviceWorkers().length > 0)
    const [worker] = page.context().serviceWorkers()
    assert.ok(worker)
    // Chromium drops, without a word, what comes for a worker that is not active yet.
    await until('the worker is active', async () =>
      Boolean(await worker.evaluate(`self.registration.active?.state === 'activated'`)),
    )
    await worker.evaluate(`(() => {
      const { showNotification } = ServiceWorkerRegistration.prototype
      self.shown = 0
      ServiceWorkerRegistration.prototype.showNotification = async function (...given) {
        await showNotification.apply(this, given)
        self.shown += 1
      }
    })()`)
    /**
     * Resolves when it is shown. On a busy machine Chromium loses a message of its debugger now and then, without a word; a
     * second one has the same tag and takes the place of the first.
     */
    const deliver = async (data: string) => {
      let sentAt = -Infinity
      await until('the notification is shown', async () => {
        if (Number(await worker.evaluate('self.shown')) > 0) return true
        if (performance.now() - sentAt < 5000) return false
        sentAt = performance.now()
        const registrationId = registrations.at(-1) ?? ''
        await devtools.send('ServiceWorker.deliverPushMessage', { origin: rig.url, registrationId, data })
        return false
      })
    }
    return { worker, deliver }
  }

  const becomesReady = async (name: string) => {
    await rig.given(aTask({ name, spec: { title: `Title of ${name}` }, status: { state: 'RUNNING' } }))
    await rig.setStatus(TASKS, name, { state: 'READY', summary: text('All done'), finishedAt: toTimestamp(new Date()) })
  }
  /** What the push service was sent about that task, as the browser decrypts it. */
  const sentAbout = async (path: string, task: string, browser: Browser): Promise<string> => {
    const find = () => service.at(path).map(({ body }) => JSON.stringify(browser.decrypt(body)))
    await until(`a message about ${task}`, () => find().some((text) => text.includes(`"${task}"`)))
    return find().find((text) => text.includes(`"${task}"`)) ?? ''
  }
  /** A person presses a button of the notification; Chromium has no way to do it but in the worker itself. */
  const press = (worker: Worker, action: string) =>
    worker.evaluate(`(async () => {
      // Only a click of a person may bring a page to the front.
      WindowClient.prototype.focus = async function () { self.focused = this.url; return this }
      self.clients.openWindow = async (url) => { self.opened = url; return null }
      const [notification] = await self.registration.getNotifications()
      const event = new NotificationEvent('notificationclick', { notification, action: ${JSON.stringify(action)} })
      self.dispatchEvent(event)
    })()`)

  it('are switched on by a person, tested, shown with their buttons, and lead to the task in an open tab', async () => {
    const { tab, page, browser } = await openSettings('/whole')
    await page.getByText('When a task asks, fails or is ready for review, this browser can tell you').waitFor()
    await assertAccessibleInBothThemes(page)
    await page.getByRole('button', { name: 'Notify this browser' }).click()
    await page.getByText('This browser tells you when').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/took the notification. It should appear in a moment/).waitFor()
    await assertAccessibleInBothThemes(page)
    const { worker, deliver } = await workerOf(page)
    await becomesReady('review-me')
    await deliver(await sentAbout('/whole', 'review-me', browser))
    const shown = () =>
      worker.evaluate(`self.registration.getNotifications().then((all) => all.map(({ title, body, actions }) =>
        [title, body, actions.map(({ title }) => title).join()].join(' | ')))`)
    await becomes(shown, ['Ready for review: Title of review-me | All done | Accept,Ask for changes'])
    await page.evaluate('window.sameDocument = true')
    await press(worker, 'accept')
    await page.waitForURL(/\/tasks\/review-me/)
    await page.getByRole('group', { name: 'Decisions' }).and(page.locator(':focus')).waitFor()
    // Not a reload: what a person has typed elsewhere is still there.
    assert.equal(await page.evaluate('window.sameDocument'), true)
    await becomes(() => worker.evaluate('self.focused'), `${rig.url}/settings`)
    // The button has decided nothing.
    assert.match((await rig.get('/api/tasks/review-me')).text, /"state":"READY"/)
    assertNoProblems(tab)
    await tab.close()
  })

  it('open a tab where none is open but one in which something is written', async () => {
    const { tab, page, browser } = await openSettings('/new-tab')
    await page.getByRole('button', { name: 'Notify this browser' }).click()
    await page.getByText('This browser tells you when').waitFor()
    const { worker, deliver } = await workerOf(page)
    await page.goto(`${rig.url}/tasks/new`)
    await page.getByLabel('Title').fill('Begun')
    await becomesReady('elsewhere')
    await deliver(await sentAbout('/new-tab', 'elsewhere', browser))
    await press(worker, 'open')
    await until('a tab is opened', async () => (await worker.evaluate('self.opened')) !== undefined)
    assert.equal(await worker.evaluate('self.opened'), `${rig.url}/tasks/elsewhere`)
    assert.match(page.url(), /\/tasks\/new$/)
    await tab.close()
  })

  it('say that they are switched off, in browser and server', async () => {
    const { tab, page, browser } = await openSettings('/stops')
    await page.getByRole('button', { name: 'Notify this browser' }).click()
    await page.getByRole('button', { name: 'Stop notifying' }).click()
    await page.getByRole('button', { name: 'Notify this browser' }).waitFor()
    const { status } = await rig.post('/api/push/test', { endpoint: browser.subscription.endpoint })
    assert.equal(status, 404)
    assertNoProblems(tab)
    await tab.close()
  })

  it('say what is wrong: a test that the push service refuses, and a key that the server no longer has', async () => {
    const { tab, page } = await openSettings('/refused')
    service.answer = (path) => ({ status: path === '/refused' ? 403 : 201 })
    await page.getByRole('button', { name: 'Notify this browser' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/No notification comes: .* refused this server \(403\)/).waitFor()
    await page.evaluate(`sessionStorage.setItem('fake-push', 'b2xk')`)
    await page.reload()
    await page.getByText('subscribed with an earlier key').waitFor()
    await page.getByRole('button', { name: 'Subscribe again' }).click()
    await page.getByText('This browser tells you when').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })

  it('say where the browser blocks them, and where it has none', async () => {
    const { tab, page } = await openSettings('/blocked')
    await page.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`)
    await page.reload()
    await page.getByText('Notifications of this page are blocked in this browser').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Notify this browser' }).count(), 0)
    await page.addInitScript('delete window.PushManager')
    await page.reload()
    await page.getByText('This browser has no push notifications').waitFor()
    assertNoProblems(tab)
    await tab.close()
  })
})
