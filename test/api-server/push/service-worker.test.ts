import assert from 'node:assert/strict'
import type { MessagePort } from 'node:worker_threads'
import { createContext, runInContext } from 'node:vm'
import { SERVICE_WORKER } from '../../../api-server/push/service-worker.ts'

interface FakePage {
  readonly url: string
  focused: number
  readonly messages: unknown[]
}

/** A browser's side of a service worker, as far as ours uses it. */
function startWorker(urls: readonly string[] = [], busy: readonly string[] = []) {
  const listeners = new Map<string, (event: object) => void>()
  const shown: [title: string, options: Record<string, unknown>][] = []
  const opened: string[] = []
  const pages: FakePage[] = urls.map((url) => ({ url, focused: 0, messages: [] }))
  const self = {
    location: { origin: 'https://slipway.example' },
    skipWaiting: () => Promise.resolve(),
    registration: {
      showNotification: (...given: (typeof shown)[0]) => Promise.resolve(shown.push(given)),
      pushManager: {
        subscribe: ({ applicationServerKey: key }: { applicationServerKey: string }) =>
          Promise.resolve({ endpoint: 'new', key }),
      },
    },
    clients: {
      claim: () => Promise.resolve(),
      openWindow: (url: string) => Promise.resolve(opened.push(url)),
      matchAll: () =>
        Promise.resolve(
          pages.map((page) => ({
            url: page.url,
            focus: () => Promise.resolve((page.focused += 1)),
            // Only pages of the UI answer, and one in which something is being written stays where it is.
            postMessage: (message: unknown, [port]: readonly MessagePort[]) => {
              page.messages.push(message)
              if (!page.url.includes('/api/')) port?.postMessage(!busy.includes(page.url))
              port?.close()
            },
          })),
        ),
    },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  }
  const sent: [string, unknown][] = []
  const fetch = (path: string, { body }: { body: string }) => Promise.resolve(sent.push([path, JSON.parse(body)]))
  runInContext(SERVICE_WORKER, createContext({ self, URL, fetch, MessageChannel, setTimeout }))
  const dispatch = async (type: string, event: object): Promise<void> => {
    const waits: Promise<unknown>[] = []
    listeners.get(type)?.({ ...event, waitUntil: (promise: Promise<unknown>) => waits.push(promise) })
    assert.equal(waits.length, 1, `nothing keeps the worker alive during ${type}`)
    await Promise.all(waits)
  }
  return { dispatch, shown, opened, pages, sent }
}

/** What came from the worker's realm, as plain values of ours. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

const message = {
  title: 'Question: A',
  body: 'Which?',
  tag: 'task-a',
  url: '/tasks/a',
  urgency: 'urgent',
  actions: ['run', 'cancel', 'answer'],
}

async function click(worker: ReturnType<typeof startWorker>, action: string, url = '/tasks/a'): Promise<number> {
  let closed = 0
  const notification = { data: { url }, close: () => (closed += 1) }
  await worker.dispatch('notificationclick', { notification, action })
  return closed
}

describe('the service worker', () => {
  it('shows what it is sent, under one tag per task, until it is dismissed when it is urgent', async () => {
    const worker = startWorker()
    await worker.dispatch('push', { data: { json: () => message } })
    assert.deepEqual(plain(worker.shown), [
      [
        'Question: A',
        {
          body: 'Which?',
          tag: 'task-a',
          renotify: true,
          requireInteraction: true,
          silent: false,
          data: { url: '/tasks/a' },
          actions: [
            { action: 'answer', title: 'Answer' },
            { action: 'open', title: 'Open' },
          ],
        },
      ],
    ])
  })

  it('shows something also for a message without content, as browsers demand', async () => {
    const worker = startWorker()
    await worker.dispatch('push', { data: null })
    assert.equal(worker.shown[0]?.[0], 'Slipway')
    assert.equal(worker.shown[0]?.[1]['renotify'], false)
  })

  const buttonsOf = async (actions: readonly string[]) => {
    const worker = startWorker()
    await worker.dispatch('push', { data: { json: () => ({ ...message, actions }) } })
    return plain(worker.shown[0]?.[1]['actions'])
  }

  it('offers the two decisions that are likeliest, as far as the task allows, else Open', async () => {
    const titles = { answer: 'Answer', accept: 'Accept', resume: 'Resume' }
    for (const [action, title] of Object.entries(titles))
      assert.deepEqual(await buttonsOf(['run', 'reject', 'cancel', action]), [
        { action, title },
        { action: 'open', title: 'Open' },
      ])
    const changes = { action: 'revise', title: 'Ask for changes' }
    assert.deepEqual(await buttonsOf(['accept', 'revise', 'reject']), [{ action: 'accept', title: 'Accept' }, changes])
    assert.deepEqual(await buttonsOf(['run', 'revise', 'resume']), [{ action: 'resume', title: 'Resume' }, changes])
    assert.deepEqual(await buttonsOf(['cancel']), [{ action: 'open', title: 'Open' }])
  })

  const url = 'https://slipway.example/tasks/a'

  it('opens the task on a click where no page of the UI is open, and closes the notification', async () => {
    for (const urls of [[], ['https://slipway.example/api/docs']]) {
      const worker = startWorker(urls)
      assert.equal(await click(worker, ''), 1)
      assert.deepEqual(worker.opened, [url])
      assert.ok(worker.pages.every(({ focused }) => focused === 0))
    }
  })

  it('leaves a page in which something is being written, for another one or for a new one', async () => {
    const [writing, other] = ['https://slipway.example/projects/shop', 'https://slipway.example/stories']
    const alone = startWorker([writing], [writing])
    await click(alone, '')
    assert.deepEqual([alone.opened, alone.pages[0]?.focused], [[url], 0])
    const beside = startWorker([writing, other], [writing])
    await click(beside, '')
    assert.deepEqual([beside.opened, beside.pages.map(({ focused }) => focused)], [[], [0, 1]])
  })

  it('sends an open page to the task, in front of the others, and opens no other', async () => {
    const worker = startWorker([
      'https://slipway.example/api/docs',
      'https://slipway.example/',
      'https://other.example/',
    ])
    await click(worker, 'open')
    assert.deepEqual(worker.opened, [])
    assert.deepEqual(
      worker.pages.map(({ focused }) => focused),
      [0, 1, 0],
    )
    assert.deepEqual(plain(worker.pages[1]?.messages), [{ type: 'notification-action', action: 'open', url }])
  })

  it('prefers the page that shows the task already', async () => {
    const worker = startWorker(['https://slipway.example/', 'https://slipway.example/tasks/a?tab=log'])
    await click(worker, '')
    assert.deepEqual(worker.opened, [])
    assert.deepEqual(
      worker.pages.map(({ focused }) => focused),
      [0, 1],
    )
  })

  it('carries the button that was pressed to the task, and decides nothing itself', async () => {
    const worker = startWorker()
    await click(worker, 'accept')
    assert.deepEqual(worker.opened, ['https://slipway.example/tasks/a?action=accept'])
  })

  it('tells an open page of the button', async () => {
    const worker = startWorker(['https://slipway.example/tasks/a'])
    await click(worker, 'reject')
    const link = `${url}?action=reject`
    assert.deepEqual(plain(worker.pages[0]?.messages), [{ type: 'notification-action', action: 'reject', url: link }])
  })

  it("tells the server of the subscription that takes an old one's place", async () => {
    const worker = startWorker()
    const oldSubscription = { options: { applicationServerKey: 'key' } }
    await worker.dispatch('pushsubscriptionchange', { oldSubscription })
    await worker.dispatch('pushsubscriptionchange', { oldSubscription, newSubscription: { endpoint: 'given' } })
    await worker.dispatch('pushsubscriptionchange', {})
    assert.deepEqual(worker.sent, [
      ['/api/push/subscribe', { endpoint: 'new', key: 'key' }],
      ['/api/push/subscribe', { endpoint: 'given' }],
    ])
  })

  it('takes over at once when it is new', async () => {
    const worker = startWorker()
    await worker.dispatch('activate', {})
  })
})
