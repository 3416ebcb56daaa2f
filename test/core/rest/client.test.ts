import assert from 'node:assert/strict'
import { build } from 'esbuild'
import { join } from 'node:path'
import type { ApiClient, Input, Story, Task } from '../../../core/rest/client/client.ts'
import { ApiFailure } from '../../../core/rest/client/call.ts'
import { connectApi } from '../../../core/rest/client/connect.ts'
import { ERROR_HEADER } from '../../../core/errors.ts'
import type { Route } from '../../../core/rest/route.ts'
import { ROUTES } from '../../../core/rest/routes.ts'

describe('the typed client', () => {
  /** What was sent, and a client whose server gives `answer` to everything. */
  function answering(answer: () => Response, token?: string) {
    const sent: { url: string; init: RequestInit }[] = []
    const fetch = (url: string, init: RequestInit): Promise<Response> => {
      sent.push({ url, init })
      return Promise.resolve(answer())
    }
    return { sent, api: connectApi({ url: 'http://server:1', token, fetch }) }
  }

  it('has a method for each operation but the WebSocket and what leads browsers elsewhere, under its id', () => {
    const { api } = answering(() => new Response())
    const rows: readonly Route[] = ROUTES
    const calls = rows
      .filter(({ responses }) => Object.keys(responses).some((status) => status < '300'))
      .map(({ id }) => id)
    assert.deepEqual(Object.keys(api).sort(), calls.sort())
  })

  it('brings no schema along: a browser that imports it loads the client, its table and the words of errors alone', async () => {
    const entry = join(import.meta.dirname, '..', '..', '..', '..', 'core', 'rest', 'client', 'connect.ts')
    const { metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
    })
    const inputs = Object.keys(metafile.inputs).map((path) => path.replace(/^.*?core\//, 'core/'))
    assert.deepEqual(inputs.toSorted(), [
      'core/errors.ts',
      'core/json.ts',
      'core/rest/client/call.ts',
      'core/rest/client/client.ts',
      'core/rest/client/connect.ts',
      'core/rest/client/events.ts',
      'core/rest/client/operations.ts',
      'core/sentences/amounts.ts',
      'core/time.ts',
    ])
  })

  it('gives records the types of the route table, and takes a query, a body or null where the operation does', () => {
    const same: [
      Same<Awaited<ReturnType<ApiClient['getTask']>>, Task>,
      Same<Awaited<ReturnType<ApiClient['listStories']>>, readonly Story[]>,
      Same<Task['state'] & 'READY', 'READY'>,
      Same<Awaited<ReturnType<ApiClient['deleteTask']>>, void>,
      Same<Awaited<ReturnType<ApiClient['getDrop']>>, ArrayBuffer>,
      Same<Parameters<ApiClient['listTasks']>[0] & undefined, undefined>,
      Same<Parameters<ApiClient['getTask']>[0] & undefined, never>,
      Same<Input<'updateTask'>['body']['project'], string | null | undefined>,
      Same<'ifMatch' extends keyof Input<'getTask'> ? true : false, false>,
      Same<'ifMatch' extends keyof Input<'acceptTask'> ? true : false, true>,
    ] = [true, true, true, true, true, true, true, true, true, true]
    assert.ok(same.every(Boolean))
  })

  it('sends parameters encoded, what is absent not at all, and the body as JSON', async () => {
    const { sent, api } = answering(() => Response.json({ message: 'task rejected', task_id: 'a/b' }), 'secret')
    await api.rejectTask({ params: { id: 'a/b?' }, body: { comment: 'no' }, ifMatch: '"7"' })
    const [{ url, init } = { url: '', init: {} }] = sent
    assert.equal(url, 'http://server:1/api/tasks/a%2Fb%3F/reject')
    assert.deepEqual(
      [init.method, init.body, init.headers],
      [
        'POST',
        '{"comment":"no"}',
        { Authorization: 'Bearer secret', 'Content-Type': 'application/json', 'If-Match': '"7"' },
      ],
    )
  })

  it('sends a query as it is given', async () => {
    const { sent, api } = answering(() => Response.json([]))
    await api.listTasks({ query: { state: 'READY', limit: 5 } })
    await api.listTasks()
    assert.deepEqual(
      sent.map(({ url }) => url),
      ['http://server:1/api/tasks?state=READY&limit=5', 'http://server:1/api/tasks'],
    )
  })

  it('fails with the status, the code and the words of the server', async () => {
    const headers = { [ERROR_HEADER]: 'not_found' }
    const { api } = answering(() => Response.json({ error: 'task not found' }, { status: 404, headers }))
    await assert.rejects(
      () => api.getTask({ params: { id: 'nope' } }),
      new ApiFailure(404, 'not_found', 'task not found'),
    )
  })

  it('gives no code that it does not know', async () => {
    const headers = { [ERROR_HEADER]: 'invented_later' }
    const { api } = answering(() => Response.json({ error: 'x' }, { status: 409, headers }))
    await assert.rejects(() => api.getVersion(), new ApiFailure(409, undefined, 'x'))
  })

  it('fails with the text of an answer that is no JSON, as a proxy gives it', async () => {
    const { api } = answering(() => new Response('Bad Gateway', { status: 502 }))
    await assert.rejects(() => api.getVersion(), { name: 'ApiFailure', status: 502, message: 'Bad Gateway' })
  })

  it('shows the headers of a success to whoever asks', async () => {
    const { api } = answering(() => Response.json([], { headers: { Link: '<x>; rel="next"' } }))
    let link: string | null = null
    await api.listTasks({}, { onHeaders: (headers) => (link = headers.get('link')) })
    assert.equal(link, '<x>; rel="next"')
  })

  it('passes the signal on', async () => {
    const { sent, api } = answering(() => new Response('text'))
    const { signal } = new AbortController()
    assert.equal(await api.getExecutionStdout({ params: { id: 'e' } }, { signal }), 'text')
    assert.equal(sent[0]?.init.signal, signal)
  })

  it('answers nothing for 204', async () => {
    const { api } = answering(() => new Response(undefined, { status: 204 }))
    assert.equal(await api.deleteTask({ params: { id: 'a' } }), undefined)
  })

  it('gives the events of a stream, however its bytes are cut', async () => {
    const text =
      ': \n\nevent: log\nid: e:1:0\ndata: {"stream":"stdout","line":"grün"}\n\nevent: end\ndata: {"state":"READY"}\n\n'
    const bytes = new TextEncoder().encode(text)
    for (const size of [1, 2, 7, bytes.length]) {
      const { api } = answering(() => new Response(inPieces(bytes, size)))
      assert.deepEqual(await collect(api), [
        { event: 'log', data: { stream: 'stdout', line: 'grün' }, id: 'e:1:0' },
        { event: 'end', data: { state: 'READY' } },
      ])
    }
  })

  it('cancels the stream when its reader stops early', async () => {
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('event: log\ndata: {}\n\n')),
      cancel: () => {
        isCancelled = true
      },
    })
    const { api } = answering(() => new Response(endless))
    for await (const { event } of api.streamTaskLogs({ params: { id: 'a' } })) {
      assert.equal(event, 'log')
      break
    }
    assert.equal(isCancelled, true)
  })
})

/** True where two types are one another's equal; a wrong one does not compile. */
type Same<A, B> = [A, B] extends [B, A] ? true : false

async function collect(api: ApiClient): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of api.streamTaskLogs({ params: { id: 'a' } })) events.push(event)
  return events
}

function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close()
      else controller.enqueue(bytes.slice(at, (at += size)))
    },
  })
}
