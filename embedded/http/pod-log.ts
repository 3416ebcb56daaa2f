import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { objectsIn } from '../builtin/pod.ts'
import { NODES } from '../builtin/node.ts'
import { textAt } from '../builtin/simple.ts'
import { parseStored } from '../decode.ts'
import { storeKey } from '../kind.ts'
import type { ApiObject } from '../objects.ts'
import { isObject } from '../schema/json.ts'
import { badRequest, internalError, methodNotAllowed, notFound } from '../status.ts'
import type { ApiError } from '../status.ts'
import { hasErrorCode } from '../../lib/files.ts'
import type { ResourceCall, ResourceContext } from './resource.ts'

/** What the server shows to its nodes as client certificate, and its key; both in PEM. */
export interface NodeLogin {
  readonly certificate: string
  readonly key: string
}

const LOG_OPTIONS = ['follow', 'tailLines', 'sinceSeconds', 'sinceTime', 'timestamps', 'limitBytes', 'previous']

/** Answers `GET pods/<name>/log` with what the pod's node says, as a kube-apiserver asks a kubelet. */
export async function servePodLog(
  { store, nodeLogin }: ResourceContext & { readonly nodeLogin: NodeLogin },
  call: ResourceCall,
): Promise<void> {
  const { target, query, request, response } = call
  const { kind, namespace = '', name = '' } = target
  if (request.method !== 'GET') throw methodNotAllowed()
  const entry = store.get(storeKey(kind, { namespace, name }))
  if (entry === undefined) throw notFound(kind, name)
  const pod = parseStored(entry.value)
  const container = containerOf(pod, query.get('container') ?? '')
  const nodeName = textAt(pod['spec'], 'nodeName') ?? ''
  if (nodeName === '') {
    // No node, no log yet: an empty answer, which kubectl and client-node both take.
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end()
    return
  }
  const node = store.get(storeKey(NODES, { name: nodeName }))
  if (node === undefined) throw notFound(NODES, nodeName)
  const url = logUrl(parseStored(node.value), [namespace, name, container], query)
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const answer = await askNode(url, nodeLogin, gone.signal)
  if (answer.statusCode !== 200) throw await refusal(answer)
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' })
  response.flushHeaders()
  try {
    await pipeline(answer, response)
  } catch (error) {
    // The reader went away while it followed: that is how following ends.
    if (!gone.signal.aborted) throw error
  }
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
function logUrl({ status, metadata }: ApiObject, path: readonly string[], query: URLSearchParams): URL {
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
    const value = query.get(option)
    if (value !== null) url.searchParams.set(option, value)
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
