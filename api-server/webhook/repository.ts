import { isSameRepository, parseGitUrl, UnusableGitUrl } from '../../lib/git-url.ts'

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

/** The URL without user and password, unless it is a path of this machine or nothing that git is given. */
function findRemote(url: string): string | undefined {
  try {
    const { protocol, clean } = parseGitUrl(url)
    return protocol === 'file' ? undefined : clean
  } catch (error) {
    if (error instanceof UnusableGitUrl) return undefined
    throw error
  }
}
