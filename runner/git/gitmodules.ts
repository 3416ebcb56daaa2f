/**
 * What .gitmodules says, judged. Whoever may write the repository wrote it: names become folders in `.git/modules`, paths
 * are written to, and URLs are fetched from, so each of them is refused unless it is known to be harmless.
 */
import { type GitOptions, git, gitText } from '../../lib/git.ts'
import { type GitUrl, parseGitUrl, UnusableGitUrl } from '../../lib/git-url.ts'
import { parseUrl } from '../../lib/url.ts'
import { splitZero, toText } from './clone-git.ts'

/** A submodule that may be fetched. */
export interface Submodule {
  readonly name: string
  readonly path: string
  readonly url: GitUrl
  readonly commit: string
}

/** A submodule that stays empty. */
export interface RefusedSubmodule {
  readonly path: string
  readonly reason: string
}

interface Entry {
  readonly name: string
  readonly path: string
  readonly url: string
}

/** How many submodules of one repository are looked at; git is given their paths as arguments. */
const MAX_SUBMODULES = 200
const MAX_NAME_BYTES = 250

/** One line of .gitmodules, in latin1. */
interface Setting {
  readonly name: string
  readonly key: string
  readonly value: string
}

/** The paths and URLs that .gitmodules of a commit has for submodules; none without that file. */
export async function readGitmodules(options: GitOptions, commit: string): Promise<Setting[]> {
  const args = [
    'config',
    '-z',
    '--blob',
    `${commit}:.gitmodules`,
    '--get-regexp',
    String.raw`^submodule\..*\.(path|url)$`,
  ]
  // 1: it names none; 128: there is no such file.
  const { stdout } = await git(args, { ...options, answers: [1, 128] })
  return splitZero(stdout).map((line) => {
    const [setting = ''] = line.split('\n', 1)
    const dot = setting.lastIndexOf('.')
    const value = line.slice(setting.length + 1)
    return { name: setting.slice('submodule.'.length, dot), key: setting.slice(dot + 1), value }
  })
}

/** The object of .gitmodules of a commit, if that has such a file. */
export async function findGitmodules(options: GitOptions, commit: string): Promise<string[]> {
  const entry = await gitText(['ls-tree', commit, '--', '.gitmodules'], options)
  return /^100\d+ blob ([0-9a-f]+)\t/.exec(entry)?.slice(1) ?? []
}

/**
 * The submodules of what is checked out: gitlinks of the index that .gitmodules of HEAD names, without those that a sparse
 * checkout leaves out.
 *
 * @param parent URL of the repository, against which relative URLs are resolved
 */
export async function findSubmodules(
  options: GitOptions,
  parent: string,
): Promise<{ readonly found: readonly Submodule[]; readonly refused: readonly RefusedSubmodule[] }> {
  const entries = await readEntries(options, 'HEAD')
  // Git is asked for no path that it would take for one outside, or that is too long to be handed over.
  const usual = entries.filter(({ path }) => findOddity(path) === undefined)
  const commits = await readGitlinks(
    options,
    usual.map(({ path }) => path),
  )
  const found: Submodule[] = []
  const refused = entries.flatMap(({ path }): RefusedSubmodule[] => {
    const strange = findOddity(path)
    return strange === undefined ? [] : [{ path: toText(path.slice(0, MAX_NAME_BYTES)), reason: `its path ${strange}` }]
  })
  for (const entry of usual) {
    const commit = commits.get(entry.path)
    if (commit === undefined) continue
    const path = toText(entry.path)
    const judged = judge(entry, parent, found)
    if (typeof judged === 'string') refused.push({ path, reason: judged })
    else found.push({ name: toText(entry.name), path, url: judged, commit })
  }
  return { found, refused }
}

/**
 * The submodules that people have merged, by their clean URLs, and the commits that are recorded of each. What an agent has
 * only pushed is not among them, nor is a commit that is recorded of another repository.
 */
export type MergedSubmodules = ReadonlyMap<string, ReadonlySet<string>>

/**
 * What the default branch has of submodules. Its history does not count: what stands there for one commit alone, nobody has
 * seen in what they merged.
 *
 * @param tip of the default branch; undefined: there is none
 * @param parent URL of the repository, against which relative URLs are resolved
 */
export async function readMerged(
  options: GitOptions,
  tip: string | undefined,
  parent: string,
): Promise<MergedSubmodules> {
  const merged = new Map<string, Set<string>>()
  if (tip === undefined) return merged
  const entries = await readEntries(options, tip)
  const commits = await readRecorded(
    options,
    tip,
    entries.map(({ path }) => path),
  )
  for (const { path, url } of entries) {
    const target = toTarget(parent, url)
    if (typeof target === 'string') continue
    const commit = commits.get(path)
    merged.set(target.clean, new Set([...(merged.get(target.clean) ?? []), ...(commit === undefined ? [] : [commit])]))
  }
  return merged
}

/** The commits that a commit records at those of the paths that are gitlinks, by path. */
async function readRecorded(
  options: GitOptions,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const usual = paths.filter((path) => findOddity(path) === undefined)
  if (usual.length === 0) return new Map()
  const env = { ...options.env, GIT_LITERAL_PATHSPECS: '1' }
  const { stdout } = await git(['ls-tree', '-z', commit, '--', ...usual.map(toText)], { ...options, env })
  return toLinks(splitZero(stdout), /^160000 commit ([0-9a-f]+)\t([^]*)$/)
}

function toLinks(lines: readonly string[], link: RegExp): ReadonlyMap<string, string> {
  const links = lines.flatMap((line) => {
    const [, commit = '', path = ''] = link.exec(line) ?? []
    return commit === '' ? [] : [[path, commit] as const]
  })
  return new Map(links)
}

async function readEntries(options: GitOptions, commit: string): Promise<Entry[]> {
  const settings = new Map<string, { path?: string; url?: string }>()
  for (const { name, key, value } of await readGitmodules(options, commit))
    settings.set(name, { ...settings.get(name), [key]: value })
  const entries = [...settings].map(([name, { path = '', url = '' }]) => ({ name, path, url }))
  return entries.filter(({ path }) => path !== '').slice(0, MAX_SUBMODULES)
}

/** The commits that the index has for those of the paths that are gitlinks and checked out, by path. */
async function readGitlinks(options: GitOptions, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map()
  const env = { ...options.env, GIT_LITERAL_PATHSPECS: '1' }
  const { stdout } = await git(['ls-files', '-z', '-t', '--stage', '--', ...paths.map(toText)], { ...options, env })
  return toLinks(splitZero(stdout), /^H 160000 ([0-9a-f]+) 0\t([^]*)$/)
}

/** The URL to fetch a submodule from, or why that is not done. */
function judge({ name, url }: Entry, parent: string, before: readonly Submodule[]): GitUrl | string {
  const odd = findOddity(name)
  if (odd !== undefined) return `its name in .gitmodules ${odd}`
  const other = before.find((one) => isInside(one.name, toText(name)) || isInside(toText(name), one.name))
  if (other !== undefined) return `its name in .gitmodules is inside that of ${other.path}, or the other way around`
  return toTarget(parent, url)
}

function toTarget(parent: string, url: string): GitUrl | string {
  try {
    const target = parseGitUrl(resolveSubmoduleUrl(parent, toText(url)))
    return target.protocol === 'file'
      ? 'its URL is a path of this machine, where submodules are not fetched from'
      : target
  } catch (error) {
    if (error instanceof UnusableGitUrl) return error.message
    throw error
  }
}

/** Why a name of .gitmodules must become no folder; undefined: it may. */
function findOddity(bytes: string): string | undefined {
  const text = toText(bytes)
  const parts = text.split('/')
  if (bytes.length > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`
  if (text.includes('\ufffd')) return 'is no UTF-8'
  if (/[\\\p{Cc}]/u.test(text)) return 'has a backslash or control characters'
  if (text.startsWith('-')) return 'begins with -'
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'has an empty part, . or ..'
  // HFS+ and NTFS take other spellings for it as well, which git refuses when it checks out (core.protectHFS, protectNTFS).
  return parts.some((part) => part.toLowerCase() === '.git') ? 'has a part .git' : undefined
}

/** Whether one name lies below another as folders do, also where letter case does not count. */
function isInside(outer: string, inner: string): boolean {
  return `${inner}/`.toLowerCase().startsWith(`${outer}/`.toLowerCase())
}

/**
 * The URL of a submodule; one that begins with ./ or ../ is relative to that of the repository, as git has it.
 *
 * @throws UnusableGitUrl for one that leaves the host of the repository
 */
function resolveSubmoduleUrl(parent: string, url: string): string {
  if (!/^\.\.?\//.test(url)) return url
  const [root, path] = splitUrl(parent)
  const parts = path.split('/').filter((part) => part !== '')
  for (const part of url.split('/')) {
    if (part === '..' && parts.pop() === undefined)
      throw new UnusableGitUrl(`the URL ${url} in .gitmodules leads above the repository's host`)
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return `${root}${parts.join('/')}`
}

/** What stays of a URL, and the path that is resolved against. */
function splitUrl(url: string): readonly [root: string, path: string] {
  const parsed = parseUrl(url)
  if (parsed !== undefined && /^(https?|ssh):\/\//.test(url)) {
    const root = url.slice(0, url.indexOf('/', url.indexOf('//') + 2) + 1)
    return [root, url.slice(root.length)]
  }
  const colon = url.startsWith('/') ? 0 : url.indexOf(':')
  const start = url[colon + 1] === '/' ? colon + 2 : colon + 1
  return [url.slice(0, start), url.slice(start)]
}
