import assert from 'node:assert/strict'
import { createContext, runInContext } from 'node:vm'
import { SERVICE_WORKER } from '../../../api-server/push/service-worker.ts'

interface FakePage {
  readonly url: string
  focused: number
  readonly messages: unknown[]
}

/** A browser's side of a service worker, as far as ours uses it. */
function startWorker(urls: readonly string[] = []) {
  const listeners = new Map<string, (event: object) => void>()
  const shown: [title: string, options: Record<string, unknown>][] = []
  const opened: string[] = []
  const pages: FakePage[] = urls.map((url) => ({ url, focused: 0, messages: [] }))
  const self = {
    location: { origin: 'https://slipway.example' },
    skipWaiting: () => Promise.resolve(),
    registration: { showNotification: (...given: (typeof shown)[0]) => Promise.resolve(shown.push(given)) },
    clients: {
      claim: () => Promise.resolve(),
      openWindow: (url: string) => Promise.resolve(opened.push(url)),
      matchAll: () =>
        Promise.resolve(
          pages.map((page) => ({
            url: page.url,
            focus: () => Promise.resolve((page.focused += 1)),
            postMessage: (message: unknown) => page.messages.push(message),
          })),
        ),
    },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  }
  runInContext(SERVICE_WORKER, createContext({ self, URL }))
  const dispatch = async (type: string, event: object): Promise<void> => {
    const waits: Promise<unknown>[] = []
    listeners.get(type)?.({ ...event, waitUntil: (promise: Promise<unknown>) => waits.push(promise) })
    assert.equal(waits.length, 1, `nothing keeps the worker alive during ${type}`)
    await Promise.all(waits)
  }
  return { dispatch, shown, opened, pages }
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
            { action: 'run', title: 'Run' },
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

  it('opens the task on a click, and closes the notification', async () => {
    const worker = startWorker(['https://slipway.example/', 'https://slipway.example/tasks/b'])
    assert.equal(await click(worker, ''), 1)
    assert.deepEqual(worker.opened, ['https://slipway.example/tasks/a'])
  })

  it('brings the page that shows the task already to the front, and opens no other', async () => {
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
    const url = 'https://slipway.example/tasks/a?action=reject'
    assert.deepEqual(plain(worker.pages[0]?.messages), [{ type: 'notification-action', action: 'reject', url }])
  })

  it('takes over at once when it is new', async () => {
    const worker = startWorker()
    await worker.dispatch('activate', {})
  })
})
