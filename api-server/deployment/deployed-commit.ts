import type { Project } from '../../core/crd/types.ts'
import type { AddressRule } from '../../lib/address-rule.ts'
import type { Clock } from '../../lib/clock.ts'
import { fetchText } from '../../lib/fetch-text.ts'
import type { Logger } from '../../lib/log.ts'

/** Which commit of a project runs, as its `deployment.commitUrl` says; without one, which commit this server is. */
export interface DeployedCommits {
  /** What was heard last, "" when nothing was; asks again in the background when that is a minute ago. */
  known(project: Project | undefined): string
  /** Asks now, unless that was done within the last minute. "" when there is no usable answer. */
  ask(project: Project | undefined): Promise<string>
}

export interface DeployedCommitOptions {
  /** The commit of this build; "" if it is not known. */
  readonly ownCommit: string
  /** Where URLs may lead to. */
  readonly reach: AddressRule
  /** Called when a URL answers something else than before. */
  readonly onChange: () => void
  readonly stop: AbortSignal
  readonly clock: Clock
  readonly logger: Logger
}

const LASTS_MS = 60_000
const TIMEOUT_MS = 5000
const MAX_BYTES = 64 * 1024
/** URLs remembered; the oldest goes first. */
const MAX_URLS = 1000

interface Heard {
  readonly commit: string
  readonly at: number
}

export function createDeployedCommits(options: DeployedCommitOptions): DeployedCommits {
  const { ownCommit, clock, logger, stop } = options
  const heard = new Map<string, Heard>()
  const asking = new Map<string, Promise<string>>()
  const complaints = new Set<string>()

  const fetchCommit = async (url: string): Promise<string> => {
    const timer = new AbortController()
    const cancel = clock.schedule(TIMEOUT_MS, () => timer.abort(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)))
    try {
      const signal = AbortSignal.any([stop, timer.signal])
      const text = await fetchText(url, { signal, maxBytes: MAX_BYTES, ...options.reach })
      complaints.delete(url)
      return parseCommit(text)
    } catch (error) {
      // Not knowing is an answer here ("" and false); said once, until the URL works again.
      if (!complaints.has(url) && !stop.aborted) logger.warn({ error, url }, 'deployed commit unknown')
      complaints.add(url)
      return ''
    } finally {
      cancel()
    }
  }
  const refresh = async (url: string): Promise<string> => {
    const commit = await fetchCommit(url)
    const hasChanged = (heard.get(url)?.commit ?? '') !== commit
    heard.set(url, { commit, at: clock.now().getTime() })
    const [oldest] = heard.keys()
    if (heard.size > MAX_URLS && oldest !== undefined) heard.delete(oldest)
    asking.delete(url)
    if (hasChanged) options.onChange()
    return commit
  }
  const find = (url: string): { readonly last: string; readonly next?: Promise<string> } => {
    const last = heard.get(url)
    const isFresh = last !== undefined && clock.now().getTime() - last.at < LASTS_MS
    if (isFresh || stop.aborted) return { last: last?.commit ?? '' }
    const next = asking.get(url) ?? refresh(url)
    asking.set(url, next)
    return { last: last?.commit ?? '', next }
  }
  return {
    known(project) {
      const url = project?.spec.deployment?.commitUrl
      return url === undefined ? ownCommit : find(url).last
    },
    async ask(project) {
      const url = project?.spec.deployment?.commitUrl
      if (url === undefined) return ownCommit
      const { last, next } = find(url)
      return next ?? last
    },
  }
}

/** Whether a text is a commit's hash in lower case, whole or abbreviated: what may be given to git. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(text)
}

/** The hash in a text, or in the `commit` of a JSON object, in lower case; "" for anything else. */
export function parseCommit(text: string): string {
  const commit = (commitOfJson(text) ?? text).trim().toLowerCase()
  return isHash(commit) ? commit : ''
}

function commitOfJson(text: string): string | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const content: unknown = JSON.parse(text)
    const commit = new Map<string, unknown>(Object.entries(Object(content))).get('commit')
    return typeof commit === 'string' ? commit : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
