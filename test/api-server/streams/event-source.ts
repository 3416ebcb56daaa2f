/** A client of server-sent events that keeps what it gets. */

export interface ReceivedEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: Record<string, unknown>
}

export interface EventClient {
  readonly events: readonly ReceivedEvent[]
  /** The lines of the `log` events so far. */
  lines(): unknown[]
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>
  /** All events, once the stream has ended. */
  all(): Promise<readonly ReceivedEvent[]>
  close(): void
}

/** @throws Error when the answer is no stream */
export async function openEvents(url: string, headers: Record<string, string> = {}): Promise<EventClient> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`)
  const events: ReceivedEvent[] = []
  const ended = read(response.body, events).catch((error: unknown) => {
    if (!abort.signal.aborted) throw error
  })
  return {
    events,
    ended,
    lines: () => events.filter(({ event }) => event === 'log').map(({ data }) => data['line']),
    all: () => ended.then(() => events),
    close: () => abort.abort(),
  }
}

async function read(body: ReadableStream<Uint8Array>, events: ReceivedEvent[]): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    events.push(...blocks.filter((block) => !block.startsWith(':')).map(parse))
  }
}

function parse(block: string): ReceivedEvent {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  return { event: fields.get('event') ?? '', id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') }
}
