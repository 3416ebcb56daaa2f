import { parseGitUrl, UnusableGitUrl } from '../../lib/git-url.ts'
import { trimSlashes } from '../../core/trim.ts'

/** A repository that an event names, beside the one that a project has. */
export interface ChosenRepository {
  readonly url: string
  /** False: the event speaks of another repository than the project's. */
  readonly isOfProject: boolean
}

/**
 * The repository of a fix-up task: the first URL of the event that names one on another machine. Where that is the
 * project's repository, whatever the protocol, the project's own URL is taken, for its credentials are made for it.
 *
 * @returns undefined when no URL of the event can be used
 */
export function chooseRepository(urls: readonly string[], remoteUrl: string): ChosenRepository | undefined {
  const url = urls.map(findRemote).find((found) => found !== undefined)
  if (url === undefined) return undefined
  const isOfProject = isSameRepository(url, remoteUrl)
  return { url: isOfProject ? remoteUrl : url, isOfProject }
}

/** Whether two URLs name one repository: the same host and path, by whatever protocol. */
export function isSameRepository(a: string, b: string): boolean {
  const [one, other] = [locate(a), locate(b)]
  return one !== undefined && one === other
}

/** The URL without user and password, unless it is a path of this machine or nothing that git is given. */
function findRemote(url: string): string | undefined {
  const parsed = tryParse(url)
  return parsed === undefined || parsed.protocol === 'file' ? undefined : parsed.clean
}

/** `host/path` in lower case; hosts treat paths so, and a false difference costs no more than a person's look. */
function locate(url: string): string | undefined {
  const parsed = tryParse(url)
  if (parsed === undefined || parsed.protocol === 'file') return undefined
  const path = url.includes('://') ? new URL(parsed.clean).pathname : parsed.clean.slice(parsed.clean.indexOf(':') + 1)
  // The ports of ssh and https differ for one repository.
  const host = parsed.protocol === 'ssh' ? parsed.host.replace(/:\d+$/, '') : parsed.host
  return `${host}/${trimSlashes(path).replace(/\.git$/i, '')}`.toLowerCase()
}

function tryParse(url: string) {
  try {
    return parseGitUrl(url)
  } catch (error) {
    if (error instanceof UnusableGitUrl) return undefined
    throw error
  }
}
