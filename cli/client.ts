/** The REST client of the commands: JSON in and out, and the log stream. */
import { parseJson } from '../core/json.ts'

/** An answer that is not a success; the message is the server's own. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface LogEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface RestClient {
  get(path: string): Promise<unknown>
  getText(path: string): Promise<string>
  post(path: string, body?: unknown): Promise<unknown>
  /** Server-sent events until the server ends the stream. */
  stream(path: string, signal: AbortSignal): AsyncIterable<LogEvent>
}

/** @throws RequestFailed from every method for an answer of 400 and above */
export function createRestClient(url: string, token: string | undefined): RestClient {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(new URL(path, url), { ...init, headers: { ...headers, ...headersOf(init) } })
    if (!response.ok) throw new RequestFailed(response.status, await errorText(response))
    return response
  }
  return {
    get: async (path): Promise<unknown> => (await send(path, {})).json(),
    getText: async (path) => (await send(path, {})).text(),
    post: async (path, body): Promise<unknown> => {
      const json =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
      return (await send(path, { method: 'POST', ...json })).json()
    },
    stream: (path, signal) => readEvents(() => send(path, { signal })),
  }
}

function headersOf(init: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(init.headers))
}

async function errorText(response: Response): Promise<string> {
  const text = await response.text()
  const body = parseObject(text)
  return typeof body['error'] === 'string' ? body['error'] : text
}

async function* readEvents(open: () => Promise<Response>): AsyncGenerator<LogEvent> {
  const { body } = await open()
  if (body === null) return
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield* parseEvent(block)
  }
}

/** One block of an event stream; comments (heartbeats) give nothing. Source: HTML standard, section 9.2.6. */
function* parseEvent(block: string): Generator<LogEvent> {
  const fields = block.split('\n').map((line) => line.match(/^(event|data): ?(.*)$/))
  const value = (name: string): string | undefined => fields.find((field) => field?.[1] === name)?.[2]
  const data = value('data')
  if (data !== undefined) yield { event: value('event') ?? 'message', data: parseObject(data) }
}

/** The object that `text` holds as JSON, or an empty one. */
export function parseObject(text: string): Record<string, unknown> {
  return asRecord(parseJson(text))
}

/** The properties of an unknown value, none when it is not an object. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
