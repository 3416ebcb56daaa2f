import { pipeline } from 'node:stream/promises'
import { type NodeLogin, openPodLog } from '../pod-log.ts'
import { methodNotAllowed } from '../status.ts'
import type { ResourceCall, ResourceContext } from './resource.ts'

/** Answers `GET pods/<name>/log`. */
export async function servePodLog(
  context: ResourceContext & { readonly nodeLogin: NodeLogin },
  { target, query, request, response }: ResourceCall,
): Promise<void> {
  const { kind, namespace, name = '' } = target
  if (request.method !== 'GET') throw methodNotAllowed()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const log = await openPodLog(context, kind, { namespace, name }, Object.fromEntries(query), gone.signal)
  // An empty answer is what kubectl and client-node take for no log yet.
  if (log === undefined) {
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end()
    return
  }
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' })
  response.flushHeaders()
  try {
    await pipeline(log, response)
  } catch (error) {
    // The reader went away while it followed: that is how following ends.
    if (!gone.signal.aborted) throw error
  }
}
