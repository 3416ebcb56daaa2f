import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request as httpsRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type ControlPlane, startControlPlane } from '../../embedded/server.ts'
import type { JsonObject, JsonValue } from '../../embedded/schema/json.ts'
import { systemClock } from '../../lib/clock.ts'
import { makeLogger } from '../../lib/log.ts'
import { textAt } from '../helpers/kube-http.ts'
import { until } from '../helpers/until.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Text where the answer is not JSON. */
  readonly body: JsonValue
}

export interface Call {
  readonly body?: unknown
  readonly type?: string
  readonly accept?: string
  readonly token?: string
}

export interface WatchStream {
  readonly events: readonly JsonValue[]
  /** The headers have come. */
  readonly opened: () => boolean
  readonly ended: () => boolean
  /** Waits until so many events have come. */
  take(count: number): Promise<JsonValue[]>
  close(): void
}

export interface TestServer {
  readonly url: string
  readonly kubeconfig: string
  readonly folder: string
  call(method: string, path: string, call?: Call): Promise<Reply>
  get(path: string): Promise<JsonValue>
  watch(path: string): WatchStream
  restart(): Promise<void>
  /** Stops the server and removes its folder. */
  close(): Promise<void>
}

export const WIDGETS = '/apis/test.example.com/v1/namespaces/default/widgets'

/** A kind with all that the server treats specially: status, defaults, columns, selectable fields, a rule. */
export const WIDGET_CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.test.example.com' },
  spec: {
    group: 'test.example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', shortNames: ['wd'], categories: ['toys'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: '.spec.color' }],
        additionalPrinterColumns: [
          { name: 'Color', type: 'string', jsonPath: '.spec.color' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A widget.',
            properties: {
              spec: {
                type: 'object',
                description: 'What the widget should be.',
                properties: {
                  size: { type: 'integer', default: 1, maximum: 10, description: 'How large it is.' },
                  color: { type: 'string' },
                },
                'x-kubernetes-validations': [{ rule: "self.color != 'plaid'", message: 'no plaid' }],
              },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
      },
    ],
  },
}

export function aWidget(name: string, more: { spec?: JsonObject; metadata?: JsonObject } = {}): JsonObject {
  return {
    apiVersion: 'test.example.com/v1',
    kind: 'Widget',
    metadata: { name, ...more.metadata },
    spec: { color: 'red', ...more.spec },
  }
}

export function aConfigMap(name: string, more: { data?: JsonObject; metadata?: JsonObject } = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more.metadata }, data: { ...more.data } }
}

export async function startServer(crds: readonly unknown[] = [WIDGET_CRD]): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-embedded-'))
  const start = (): Promise<ControlPlane> =>
    startControlPlane({
      storeDir: join(folder, 'store'),
      crds,
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      logger: makeLogger('silent'),
      randomBytes,
    })
  let plane = await start()
  let client = connect(plane)
  return {
    get url() {
      return plane.url
    },
    get kubeconfig() {
      return plane.kubeconfig
    },
    folder: join(folder, 'store'),
    call: (method, path, call = {}) => client.call(method, path, call),
    get: async (path) => (await client.call('GET', path, {})).body,
    watch: (path) => client.watch(path),
    async restart() {
      client.close()
      await plane.stop()
      plane = await start()
      client = connect(plane)
    },
    async close() {
      client.close()
      await plane.stop()
      await rm(folder, { recursive: true })
    },
  }
}

interface Client {
  call(method: string, path: string, call: Call): Promise<Reply>
  watch(path: string): WatchStream
  close(): void
}

function connect({ url, kubeconfig }: ControlPlane): Client {
  const config: JsonValue = parse(kubeconfig)
  const ca = Buffer.from(textAt(config, 'clusters.0.cluster.certificate-authority-data'), 'base64')
  const token = textAt(config, 'users.0.user.token')
  const agent = new Agent({ ca, keepAlive: true })
  const send = (method: string, path: string, call: Call): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const text = call.body === undefined || typeof call.body === 'string' ? call.body : JSON.stringify(call.body)
      const headers = {
        authorization: `Bearer ${call.token ?? token}`,
        accept: call.accept ?? 'application/json',
        // Node sends a DELETE body without a length unless it is told.
        ...(text === undefined
          ? {}
          : { 'content-type': call.type ?? 'application/json', 'content-length': Buffer.byteLength(text) }),
      }
      const sent = httpsRequest(url + path, { method, agent, headers }, resolve)
      sent.once('error', reject)
      sent.end(text)
    })
  return {
    async call(method, path, call) {
      const answer = await send(method, path, call)
      const text = await readAll(answer)
      const isJson = (answer.headers['content-type'] ?? '').startsWith('application/json')
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
    },
    watch: (path) => follow(send('GET', path, {})),
    close: () => agent.destroy(),
  }
}

function follow(answered: Promise<IncomingMessage>): WatchStream {
  const events: JsonValue[] = []
  let opened = false
  let ended = false
  let rest = ''
  let close = (): void => undefined
  const read = async (): Promise<void> => {
    const answer = await answered
    opened = true
    close = () => void answer.destroy()
    for await (const chunk of answer) {
      const lines = (rest + String(chunk)).split('\n')
      rest = lines.pop() ?? ''
      events.push(...lines.map((line): JsonValue => JSON.parse(line)))
    }
  }
  // A watch that the test closes ends with an aborted read: that is no failure.
  read()
    .catch(() => undefined)
    .finally(() => {
      ended = true
    })
  return {
    events,
    opened: () => opened,
    ended: () => ended,
    async take(count) {
      await until(`${count} watch events`, () => events.length >= count)
      return events.slice(0, count)
    },
    close: () => close(),
  }
}

async function readAll(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk)
  return text
}

/** `ADDED a`, in short. */
export function short(events: readonly JsonValue[]): string[] {
  return events.map((event) => {
    const name = textAt(event, 'object.metadata.name')
    return `${textAt(event, 'type')} ${name === '' ? textAt(event, 'object.reason') : name}`
  })
}
