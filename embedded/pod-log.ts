import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { hasErrorCode } from '../lib/files.ts'
import { NODES } from './builtin/node.ts'
import { textAt } from './builtin/simple.ts'
import { parseStored } from './decode.ts'
import { type Kind, storeKey } from './kind.ts'
import type { ApiObject, ObjectKey } from './objects.ts'
import { isObject, objectsIn } from './schema/json.ts'
import { type ApiError, badRequest, internalError, notFound } from './status.ts'
import type { Store } from './storage/backend.ts'

/** What the server shows to its nodes as client certificate, and its key; both in PEM. */
export interface NodeLogin {
  readonly certificate: string
  readonly key: string
}

/** By their names as query parameters, as texts. */
export type LogOptions = Readonly<Record<string, string>>

const LOG_OPTIONS = ['follow', 'tailLines', 'sinceSeconds', 'sinceTime', 'timestamps', 'limitBytes', 'previous']

/**
 * What the pod's node says, as a kube-apiserver asks a kubelet; undefined for a pod without a node, which has no log yet.
 *
 * @throws ApiError for a pod or container that there is not, and for what the node refuses
 */
export async function openPodLog(
  { store, nodeLogin }: { readonly store: Store; readonly nodeLogin: NodeLogin },
  pods: Kind,
  { namespace = '', name }: ObjectKey,
  options: LogOptions,
  gone: AbortSignal,
): Promise<IncomingMessage | undefined> {
  const entry = store.get(storeKey(pods, { namespace, name }))
  if (entry === undefined) throw notFound(pods, name)
  const pod = parseStored(entry.value)
  const container = containerOf(pod, options['container'] ?? '')
  const nodeName = textAt(pod['spec'], 'nodeName') ?? ''
  if (nodeName === '') return undefined
  const node = store.get(storeKey(NODES, { name: nodeName }))
  if (node === undefined) throw notFound(NODES, nodeName)
  const url = logUrl(parseStored(node.value), [namespace, name, container], options)
  const answer = await askNode(url, nodeLogin, gone)
  if (answer.statusCode !== 200) throw await refusal(answer)
  return answer
}

function containerOf({ spec, metadata }: ApiObject, wanted: string): string {
  const names = ['initContainers', 'containers'].flatMap((list) =>
    objectsIn(isObject(spec) ? spec[list] : undefined).map((container) => textAt(container, 'name') ?? ''),
  )
  const own = objectsIn(isObject(spec) ? spec['containers'] : undefined)
  if (wanted === '' && own.length === 1) return textAt(own[0], 'name') ?? ''
  if (wanted === '') {
    throw badRequest(`a container name must be specified for pod ${metadata.name}, choose one of: [${names.join(' ')}]`)
  }
  if (!names.includes(wanted)) throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`)
  return wanted
}

/** @throws ApiError 500 when the node does not say where it listens, or listens elsewhere than on this machine */
function logUrl({ status, metadata }: ApiObject, path: readonly string[], options: LogOptions): URL {
  const endpoints = isObject(status) ? status['daemonEndpoints'] : undefined
  const endpoint = isObject(endpoints) ? endpoints['kubeletEndpoint'] : undefined
  const port = isObject(endpoint) ? endpoint['Port'] : undefined
  const addresses = isObject(status) ? objectsIn(status['addresses']) : []
  const address = addresses
    .map((item) => textAt(item, 'address'))
    .find((item) => item === '127.0.0.1' || item === '::1')
  if (typeof port !== 'number' || address === undefined || address === null) {
    throw internalError(`node ${metadata.name} does not say on which loopback address and port it serves logs`)
  }
  const url = new URL(`https://${address.includes(':') ? `[${address}]` : address}:${port}`)
  url.pathname = `/containerLogs/${path.map(encodeURIComponent).join('/')}`
  for (const option of LOG_OPTIONS) {
    const value = options[option]
    if (value !== undefined) url.searchParams.set(option, value)
  }
  return url
}

/** As a kube-apiserver without `--kubelet-certificate-authority`: it shows who it is, and believes its node. */
function askNode(url: URL, { certificate, key }: NodeLogin, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(url, { cert: certificate, key, rejectUnauthorized: false, signal }, resolve)
    sent.once('error', (error) => reject(hasErrorCode(error, 'ECONNREFUSED') ? unreachable(url, error) : error))
    sent.end()
  })
}

function unreachable(url: URL, error: Error): ApiError {
  return internalError(`Get "${url.origin}${url.pathname}": ${error.message}`)
}

async function refusal(answer: IncomingMessage): Promise<ApiError> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString('utf8').trim()
  const code = answer.statusCode ?? 500
  if (code === 400 || code === 404) return badRequest(text)
  return internalError(`the node answered ${code}: ${text}`)
}
