import type { JsonObject } from '../../json.ts'

/** Groups of operations, by the first segment of their path below /api/; what is not listed is about the server. */
const TAGS: Readonly<Record<string, string>> = {
  tasks: 'Units of work for a coding agent, and decisions about them',
  executions: 'Runs of agents and their files; read-only',
  stories: 'Tasks that share a branch',
  epics: 'Groups of stories',
  projects: 'The registry of repositories',
  agents: 'The coding agents',
  stats: 'Errors, throughput and cost',
  scripts: 'Named scripts of the installation',
  push: 'Notifications in the browser',
  drops: 'Files that people and agents exchange',
  webhooks: 'Events from code-hosting services',
  server: 'The server itself: version, health, live messages, this document',
}

const SAME: Readonly<Record<string, string>> = { pool: 'agents', programs: 'agents', workspaces: 'projects' }

/** The tag of the operations below a path. */
export function tagOf(path: string): string {
  const [, segment = ''] = /^\/api\/([^/]+)/.exec(path) ?? []
  const tag = SAME[segment] ?? segment
  return Object.hasOwn(TAGS, tag) ? tag : 'server'
}

/** Every tag that one of the paths has, described. */
export function tagsOf(paths: readonly string[]): JsonObject[] {
  const used = new Set(paths.map(tagOf))
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}
