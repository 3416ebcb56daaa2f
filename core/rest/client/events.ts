import { asRecord, parseJson } from '../../json.ts'

/** One server-sent event, its data as the object that it is. */
export interface ServerEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
  /** Position for `Last-Event-ID`. */
  readonly id?: string
}

/** The events of a stream, for programs without EventSource. Source: HTML standard, section 9.2.6. */
export async function* readEvents(open: () => Promise<Response>): AsyncGenerator<ServerEvent> {
  const { body } = await open()
  if (body === null) return
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunksOf(body)) {
    const blocks = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield* parseEvent(block)
  }
}

/** By its reader, because not every browser iterates a stream; a caller that stops early cancels the request. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

/** One block of an event stream; comments (heartbeats) give nothing. */
function* parseEvent(block: string): Generator<ServerEvent> {
  const fields = block.split('\n').map((line) => line.match(/^(event|data|id): ?(.*)$/))
  const value = (name: string): string | undefined => fields.find((field) => field?.[1] === name)?.[2]
  const [data, id] = [value('data'), value('id')]
  if (data === undefined) return
  yield { event: value('event') ?? 'message', data: asRecord(parseJson(data)), ...(id === undefined ? {} : { id }) }
}
