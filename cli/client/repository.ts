/** Chooses the repository of a task that a person starts in some folder. */
import { resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Project } from '../../core/rest/client/client.ts'
import { repositoryName, slugOf } from '../../core/ids.ts'
import { type Terminal, UsageError } from '../command.ts'
import { INSTALL_GIT, isGitMissing } from '../doctor/git.ts'
import { GitFailed, gitText } from '../../lib/git.ts'
import type { Session } from './session.ts'

/** The fields that name the repository of a task over REST. */
export interface TaskRepository {
  readonly project?: string
  readonly repository_url?: string
}

export interface RepositoryChoice {
  /** From `--project`. */
  readonly project: string | undefined
  /** From `--repo`: a URL or a path. */
  readonly repo: string | undefined
  /** The working folder. */
  readonly folder: string
  readonly session: Session
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/**
 * Chooses the project or repository of the flags, or the repository of the working folder.
 *
 * If the server knows no project at all, as in a new installation, an unknown project is registered for the repository of
 * the working folder. If there are other projects, an unknown name is more likely a typing error.
 *
 * @throws UsageError that names the way out
 */
export async function chooseRepository(choice: RepositoryChoice): Promise<TaskRepository> {
  const { project, repo, folder } = choice
  if (project !== undefined && repo !== undefined)
    throw new UsageError('give either --project or --repo: a project brings its own repository')
  if (project !== undefined) return chooseProject(choice, project)
  const repository_url = await repositoryUrl(choice, repo ?? folder)
  if (repo === undefined) choice.terminal.err(`works on ${repository_url}\n`)
  return { repository_url }
}

async function chooseProject(choice: RepositoryChoice, project: string): Promise<TaskRepository> {
  const { session, terminal, signal, folder } = choice
  const known = (await session.api.listProjects({}, { signal })).map(({ id }) => id)
  if (known.includes(project)) return { project }
  if (known.length > 0) {
    throw new UsageError(
      `there is no project ${JSON.stringify(project)}; there is ${known.join(', ')}.\nRegister it with "slipway add-project ${project} [<path or URL>]", or leave --project out to work on the repository of the current folder.`,
    )
  }
  const { remote_url } = await registerProject(choice, project, folder)
  terminal.err(`registered project ${project}: ${remote_url}\n`)
  return { project }
}

/**
 * Registers a repository, by URL or path, as a project. Without an id, the repository's own name is the project's. The
 * Secret is the one with which git logs in.
 *
 * @throws UsageError when the path is in no repository, or no name can be made of the repository's
 */
export async function registerProject(
  choice: Pick<RepositoryChoice, 'session' | 'signal'>,
  given: string | undefined,
  repo: string,
  secret?: string,
): Promise<Project> {
  const remote_url = await repositoryUrl(choice, repo)
  const local = remote_url.startsWith('/') ? { local_path: remote_url } : {}
  const id = given ?? projectName(remote_url)
  const git = secret === undefined ? {} : { git: { secret_name: secret } }
  const body = { id, name: id, remote_url, ...local, ...git }
  return choice.session.api.createProject({ body }, { signal: choice.signal })
}

/** Whether a word can only mean a repository: no project has such a name. */
export function isRepository(word: string): boolean {
  return /[/:]|^\.{1,2}$/.test(word)
}

function projectName(repo: string): string {
  const name = repositoryName(repo)
  if (!/[a-z0-9]/i.test(name))
    throw new UsageError(`${repo} gives no name for the project: slipway add-project <name> ${repo}`)
  return slugOf(name, 'project')
}

/** Returns a URL as it is. For a path it returns the root of the repository, or, for a server elsewhere, the URL of `origin`. */
async function repositoryUrl({ session, signal }: Pick<RepositoryChoice, 'session' | 'signal'>, repo: string) {
  if (!isPath(repo)) return repo
  const root = await rootOf(resolve(repo), signal)
  if (session.isLocal) return root
  const origin = await ask(['-C', root, 'remote', 'get-url', 'origin'], signal)
  if (origin !== undefined && !isPath(origin)) return withoutLogin(origin)
  throw new UsageError(
    `the server at ${session.server} cannot reach ${root}, and that repository has no remote "origin" to go by: give --repo <URL>`,
  )
}

/** Removes the login from a URL: the server has its own, and the one in a person's clone stays there. */
function withoutLogin(url: string): string {
  return url.replace(/^(https?:\/\/)[^/]*@/, '$1')
}

/** A path looks like one, or exists and does not look like a URL. */
function isPath(repo: string): boolean {
  if (/^(\.{0,2}\/|\.{1,2}$)/.test(repo)) return true
  return !/^[A-Za-z0-9+.-]+:|^[^/@]+@[^/:]+:/.test(repo) && existsSync(repo)
}

async function rootOf(path: string, signal: AbortSignal): Promise<string> {
  const root = await ask(['-C', path, 'rev-parse', '--show-toplevel'], signal)
  if (root !== undefined && root !== '') return root
  // A bare repository has no top level.
  const gitDir = await ask(['-C', path, 'rev-parse', '--absolute-git-dir'], signal)
  if (gitDir !== undefined) return gitDir
  throw new UsageError(
    `${path} is in no git repository: go to one, or say what to work on with --repo <path or URL> or --project <name>`,
  )
}

/** Runs git in the person's own repository; undefined when it fails. */
async function ask(args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  try {
    return await gitText(args, { home: homedir(), signal })
  } catch (error) {
    if (error instanceof GitFailed) return undefined
    if (isGitMissing(error))
      throw new UsageError(`git is not installed here: ${INSTALL_GIT}, or give --repo <URL>`, { cause: error })
    throw error
  }
}
