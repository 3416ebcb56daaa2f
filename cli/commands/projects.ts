import process from 'node:process'
import type { ApiClient, Project } from '../../core/rest/client/client.ts'
import { parseGitUrl } from '../../lib/git-url.ts'
import type { ClientCommand } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import { isRepository, registerProject } from '../client/repository.ts'
import { printable } from '../client/text.ts'
import { messageOf } from '../../lib/error-message.ts'

export const projectsCommand: ClientCommand = {
  kind: 'client',
  name: 'projects',
  summary: 'List projects',
  examples: ['slipway projects'],
  prints: 'project',
  words: [],
  flags: [],
  async run({ session, terminal, signal, style }) {
    const projects = await session.api.listProjects({}, { signal })
    const rows = projects.map(({ id, name, remote_url }) => [id, name, remote_url])
    print(terminal, session.form, projects, () =>
      rows.length === 0
        ? 'No projects. Register the repository of a folder: slipway add-project <path or URL>\n'
        : table(['PROJECT', 'NAME', 'REPOSITORY'], rows, style),
    )
    return 0
  },
}

export const addProjectCommand: ClientCommand = {
  kind: 'client',
  name: 'add-project',
  summary: 'Register a repository as a project',
  prints: 'project',
  details: [
    'Without a path or URL it is the git repository of the current folder. Without a name it is named like the repository.',
    'The server then tries to read it, and says why it cannot. A private repository that your own git does not log',
    'in to needs a Secret, which slipway secret git makes. In a cluster, and of several for a host, name it.',
  ].join('\n'),
  examples: [
    'slipway add-project .',
    'slipway add-project shop https://git.example.com/acme/shop.git --secret shop-git',
  ],
  words: [
    { name: 'name', isOptional: true },
    { name: 'path or URL', isOptional: true },
  ],
  flags: [{ name: 'secret', value: 'name', description: 'Secret with which git logs in' }],
  async run({ session, terminal, signal, words: [first, second], values }) {
    const isAlone = first !== undefined && second === undefined && isRepository(first)
    const [name, repo] = isAlone ? [undefined, first] : [first, second]
    const secret = values.get('secret')
    const project = await registerProject({ session, signal }, name, repo ?? process.cwd(), secret)
    print(terminal, session.form, project, () => `registered project ${project.id}: ${project.remote_url}\n`)
    terminal.err(await tryProject(session.api, project, signal))
    return 0
  },
}

/** What a person is told of the trial: nothing of a repository that work can begin from. It is registered whatever comes of it. */
async function tryProject(api: ApiClient, project: Project, signal: AbortSignal): Promise<string> {
  const body = { remote_url: project.remote_url, ...(project.git && { git: project.git }) }
  try {
    const { outcome, usable, reason = 'nobody knows why' } = await api.tryRepository({ body }, { signal })
    if (outcome === 'reachable') return usable ? '' : `warning: no task can run in it: ${printable(reason)}\n`
    if (usable) return `note: it was not read: ${printable(reason)}\n`
    return `warning: it was not read: ${printable(reason)}\n${wayOut(project)}`
  } catch (error) {
    if (signal.aborted) throw error
    return `warning: it was not tried: ${printable(messageOf(error))}\n`
  }
}

/** A repository without a host has no login, and a named Secret is one. */
function wayOut({ id, remote_url, git }: Project): string {
  const { host, protocol } = parseGitUrl(remote_url)
  const of = protocol === 'ssh' ? '--ssh-key <file> --known-hosts <file>' : '--username <name> < token.txt'
  return protocol === 'file' || git?.secret_name !== undefined
    ? ''
    : `If it is private, and there is no Secret for its host: slipway secret git ${id}-git --host ${host} ${of}\n`
}
