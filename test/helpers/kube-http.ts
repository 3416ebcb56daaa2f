import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'
import type { JsonObject, JsonValue } from '../../embedded/schema/json.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Empty where the answer is not JSON. */
  readonly body: JsonObject
  readonly text: string
}

export interface Watch {
  /** The next event, or undefined when the server has ended the stream. */
  next(): Promise<JsonObject | undefined>
  close(): void
}

/** Plain HTTPS to a Kubernetes API, so that a test sees exactly what is sent and answered. */
export interface KubeHttp {
  send(method: string, path: string, body?: JsonValue, headers?: Readonly<Record<string, string>>): Promise<Answer>
  watch(path: string): Promise<Watch>
  close(): void
}

interface KubeConfig {
  readonly 'current-context'?: string
  readonly contexts: readonly { name: string; context: { cluster: string; user: string } }[]
  readonly clusters: readonly { name: string; cluster: Readonly<Record<string, string>> }[]
  readonly users: readonly { name: string; user: Readonly<Record<string, string>> }[]
}

/** Server, CA and token or client certificate come from the kubeconfig's current context. */
export function connectKube(kubeconfig: string): KubeHttp {
  const config = parse(kubeconfig) as KubeConfig
  const context = config.contexts.find(({ name }) => name === config['current-context']) ?? config.contexts[0]
  const cluster = config.clusters.find(({ name }) => name === context?.context.cluster)?.cluster ?? {}
  const user = config.users.find(({ name }) => name === context?.context.user)?.user ?? {}
  const server = cluster['server'] ?? ''
  const ca = material(cluster, 'certificate-authority')
  const certificate = { cert: material(user, 'client-certificate'), key: material(user, 'client-key') }
  const agent = new Agent({ keepAlive: true, ca, ...certificate })
  // A certificate would outweigh a token that a test sends of its own.
  const anonymous = new Agent({ ca })
  const authorization = user['token'] === undefined ? {} : { authorization: `Bearer ${user['token']}` }

  function open(method: string, path: string, body: string, headers: Readonly<Record<string, string>>) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const length = { 'content-length': String(Buffer.byteLength(body)) }
      const outgoing = request(
        `${server}${path}`,
        {
          method,
          agent: headers['authorization'] === undefined ? agent : anonymous,
          headers: { accept: 'application/json', ...authorization, ...length, ...headers },
        },
        resolve,
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  return {
    async send(method, path, body, headers = {}) {
      const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await open(method, path, text, { ...type, ...headers })
      const content = (await response.setEncoding('utf8').toArray()).join('')
      const isJson = response.headers['content-type']?.startsWith('application/json') === true
      const parsed = isJson ? (JSON.parse(content) as JsonObject) : {}
      return { status: response.statusCode ?? 0, headers: response.headers, body: parsed, text: content }
    },
    async watch(path) {
      const response = await open('GET', path, '', {})
      const lines = createInterface({ input: response })[Symbol.asyncIterator]()
      return {
        async next() {
          const line = await lines.next()
          return line.done === true ? undefined : (JSON.parse(line.value) as JsonObject)
        },
        close: () => void response.destroy(),
      }
    },
    close: () => agent.destroy(),
  }
}

function material(entry: Readonly<Record<string, string>>, key: string): Buffer | undefined {
  const inline = entry[`${key}-data`]
  if (inline !== undefined) return Buffer.from(inline, 'base64')
  const file = entry[key]
  return file === undefined ? undefined : readFileSync(file)
}

/** `metadata.labels.app` or `items.0.spec`; the single keys where one of them has a dot. */
export type Path = string | readonly string[]

/** What stands at a path; undefined where there is nothing. */
export function at(value: JsonValue | undefined, path: Path): JsonValue | undefined {
  let found: JsonValue | undefined = value
  for (const key of typeof path === 'string' ? path.split('.') : path) {
    if (Array.isArray(found)) found = found[Number(key)]
    else found = typeof found === 'object' && found !== null ? found[key] : undefined
  }
  return found
}

/** As `at`, for text; "" where there is none. */
export function textAt(value: JsonValue | undefined, path: Path): string {
  const found = at(value, path)
  return typeof found === 'string' ? found : ''
}

/**
 * As `at`, for a list.
 * @throws TypeError where there is none, so that a missing list does not pass for an empty one.
 */
export function listAt(value: JsonValue | undefined, path: Path): JsonValue[] {
  const found = at(value, path)
  if (!Array.isArray(found)) throw new TypeError(`no list at ${String(path)} of ${JSON.stringify(value)}`)
  return found
}

/** What stands at `path` in each item of a list; nothing when it is no list. */
export function each(list: JsonValue | undefined, path: Path): (JsonValue | undefined)[] {
  return Array.isArray(list) ? list.map((item) => at(item, path)) : []
}
