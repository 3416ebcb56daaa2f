import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import type { Inner } from '../../../embedded/http/inner.ts'
import { openInner } from '../../../embedded/http/inner.ts'
import type { FetchOver } from '../../../kube/fetch-over.ts'
import { fetchOver } from '../../../kube/fetch-over.ts'

const ORIGIN = 'http://inner.example'

describe('HTTP between the server and clients of its process', () => {
  let inner: Inner
  let client: FetchOver
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  beforeEach(() => {
    inner = openInner((request, response) => answer(request, response))
    client = fetchOver(ORIGIN, () => inner.connect())
  })
  afterEach(async () => {
    inner.close()
    await client.close()
  })

  const codeOf = async (asked: Promise<unknown>): Promise<unknown> => {
    const error = await asked.then(
      () => undefined,
      (failed: unknown) => failed,
    )
    assert.ok(error instanceof Error && error.cause instanceof Error)
    return Reflect.get(error.cause, 'code')
  }

  it('brings bodies of any size whole, both ways', async () => {
    answer = (request, response) => void request.pipe(response)
    for (const size of [0, 1, 16_384, 3_000_000]) {
      const body = 'x'.repeat(size)
      const response = await client.fetch(`${ORIGIN}/`, { method: 'POST', body })
      assert.equal(await response.text(), body)
    }
  })

  it('brings a last answer whole although the server closes behind it', async () => {
    answer = (_, response) => {
      response.setHeader('Connection', 'close')
      response.end('y'.repeat(300_000))
    }
    assert.equal((await (await client.fetch(`${ORIGIN}/`, {})).text()).length, 300_000)
  })

  it('tells the server that a client has gone', async () => {
    const gone = new Promise<void>((resolve) => {
      answer = (_, response) => {
        response.once('close', () => resolve())
        response.write('{"type":"ADDED"}\n')
      }
    })
    const leaving = new AbortController()
    await client.fetch(`${ORIGIN}/`, { signal: leaving.signal })
    leaving.abort()
    await gone
  })

  it('fails as sockets do when the server stops, and from then on', async () => {
    answer = () => inner.close()
    assert.equal(await codeOf(client.fetch(`${ORIGIN}/`, { method: 'POST', body: 'x' })), 'ECONNRESET')
    assert.equal(await codeOf(client.fetch(`${ORIGIN}/`, {})), 'ECONNREFUSED')
  })

  it('ends no process with a connection that is cut before a client has it', async () => {
    const connecting = inner.connect()
    inner.close()
    await assert.rejects(finished(await connecting), { code: 'ECONNRESET' })
  })
})
