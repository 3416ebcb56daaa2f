import type { Project } from '../../core/crd/types.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../../core/names.ts'
import { toProjectInput, toProjectRecord, toProjectSpec } from '../../core/rest/map/project.ts'
import type { ProjectRecord } from '../../core/rest/records/project.ts'
import { ProjectInput } from '../../core/rest/requests/project.ts'
import type { ApiContext } from '../context.ts'
import { createEditor } from '../edits.ts'
import { newestFirst } from '../order.ts'
import { checkIfMatch } from '../preconditions.ts'
import type { Representation } from '../representation.ts'
import { entityTag, joinRepresentations, represent } from '../representation.ts'
import { changeRecord, createRecord, demandFound } from '../writes.ts'
import type { Handlers } from './handler.ts'

type ProjectHandlers = Pick<Handlers, 'listProjects' | 'createProject' | 'getProject' | 'updateProject'>

/** The registry of repositories. */
export function projectHandlers({ client, caches, namespace, makeId }: ApiContext): ProjectHandlers {
  const all = newestFirst(caches.projects)
  const edit = createEditor(ProjectInput)
  return {
    listProjects: async () => ({ status: 200, body: joinRepresentations(all().map(toJson)) }),
    async createProject({ body }) {
      const { id = makeId('project'), ...input } = body
      const project = {
        apiVersion: API_VERSION,
        kind: 'Project',
        metadata: { name: id, namespace, labels: { [LABELS.managedBy]: MANAGED_BY } },
        spec: toProjectSpec(input),
      } as const
      const created = await createRecord<Project>(client, caches.projects, 'project', project)
      return { status: 201, body: toJson(created), headers: { Location: `/api/projects/${id}` } }
    },
    async getProject({ params }) {
      return { status: 200, body: toJson(demandFound(await caches.projects.read(params.id), 'project')) }
    },
    async updateProject({ params, body, ifMatch }) {
      const key = { kind: 'project', id: params.id }
      const { object } = await changeRecord(client, caches.projects, key, (project) => {
        checkIfMatch(ifMatch, project, `it is at version ${project.metadata.resourceVersion ?? ''} now`)
        const input = edit(toProjectRecord(project), toProjectInput(project.spec), body)
        const write = input && { ...project, spec: toProjectSpec(input, project.spec) }
        return { write, result: undefined }
      })
      return { status: 200, body: toJson(object) }
    },
  }
}

function toJson(project: Project): Representation<ProjectRecord> {
  const { json } = represent(toProjectRecord(project))
  return { json, etag: entityTag(project.metadata.resourceVersion ?? '') }
}
