import process from 'node:process'
import type { ClientCommand } from '../client-command.ts'
import { print, table } from '../client/output.ts'
import { registerProject } from '../client/repository.ts'

export const projectsCommand: ClientCommand = {
  kind: 'client',
  name: 'projects',
  summary: 'List projects',
  words: [],
  flags: [],
  async run({ session, terminal, signal }) {
    const projects = await session.api.listProjects({}, { signal })
    const rows = projects.map(({ id, name, remote_url }) => [id, name, remote_url])
    print(terminal, session.form, projects, () =>
      rows.length === 0
        ? 'No projects. Register the repository of a folder: slipway add-project <name> [<path or URL>]\n'
        : table(['PROJECT', 'NAME', 'REPOSITORY'], rows),
    )
    return 0
  },
}

export const addProjectCommand: ClientCommand = {
  kind: 'client',
  name: 'add-project',
  summary: 'Register a repository as a project',
  details: 'Without a path or URL it is the git repository of the current folder.',
  words: [{ name: 'name' }, { name: 'path or URL', isOptional: true }],
  flags: [],
  async run({ session, terminal, signal, words: [id = '', repo] }) {
    const project = await registerProject({ session, signal }, id, repo ?? process.cwd())
    print(terminal, session.form, project, () => `registered project ${id}: ${project.remote_url}\n`)
    return 0
  },
}
