import process from 'node:process'
import type { ClientCommand } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import { isRepository, registerProject } from '../client/repository.ts'

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
  details:
    'Without a path or URL it is the git repository of the current folder. Without a name it is named like the repository.',
  examples: ['slipway add-project .', 'slipway add-project shop https://git.example.com/acme/shop.git'],
  words: [
    { name: 'name', isOptional: true },
    { name: 'path or URL', isOptional: true },
  ],
  flags: [],
  async run({ session, terminal, signal, words: [first, second] }) {
    const isAlone = first !== undefined && second === undefined && isRepository(first)
    const [name, repo] = isAlone ? [undefined, first] : [first, second]
    const project = await registerProject({ session, signal }, name, repo ?? process.cwd())
    print(terminal, session.form, project, () => `registered project ${project.id}: ${project.remote_url}\n`)
    return 0
  },
}
