import type { Project } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../../core/names.ts'
import { editSpec } from '../../core/rest/edit.ts'
import { toProjectInput, toProjectRecord, toProjectSpec } from '../../core/rest/map/project.ts'
import type { ProjectRecord } from '../../core/rest/records/project.ts'
import type { RepositoryTry } from '../../core/rest/requests/project.ts'
import { ProjectInput } from '../../core/rest/requests/project.ts'
import { findReservedProblem } from '../../core/story/branch-name.ts'
import type { Caches } from '../cache/caches.ts'
import type { ApiContext } from '../context.ts'
import { createEditor, editHeaders } from '../commands/merge-edit.ts'
import { checkLocalPath, checkRepositoryUrl } from '../commands/local-paths.ts'
import { printManifest } from '../records/manifest.ts'
import { NEWEST_FIRST, newestFirst } from '../records/order.ts'
import { paginate } from '../records/pages.ts'
import type { Representation } from '../records/representation.ts'
import { entityTag, joinRepresentations, represent } from '../records/representation.ts'
import { versionOf } from '../cache/versions.ts'
import { changeRecord, createRecord, requireFound } from '../commands/writes.ts'
import type { Preconditions } from '../records/preconditions.ts'
import type { LocalPathRule } from '../commands/local-paths.ts'
import type { RepositoryTrials } from '../deployment/try-repository.ts'
import type { Handlers } from './handler.ts'

interface ProjectContext extends ApiContext, LocalPathRule {
  readonly preconditions: Preconditions
  readonly repositoryTrials: RepositoryTrials
}

/** The registry of repositories. */
export function projectHandlers(context: ProjectContext) {
  const { client, caches, namespace, makeId } = context
  const all = newestFirst(caches.projects)
  const edit = createEditor(ProjectInput)
  const read = async (id: string): Promise<Project> => requireFound(await caches.projects.read(id), 'project')
  return {
    async listProjects({ query }) {
      const page = paginate(all(), query, NEWEST_FIRST)
      return { status: 200, body: joinRepresentations(page.items.map(toJson)), headers: page.headers('/api/projects') }
    },
    async createProject({ body }) {
      const { id = makeId('project'), ...input } = body
      checkPlaces(context, input)
      checkBase(context, input)
      const project = {
        apiVersion: API_VERSION,
        kind: 'Project',
        metadata: { name: id, namespace, labels: { [LABELS.managedBy]: MANAGED_BY } },
        spec: toProjectSpec(input),
      } as const
      const created = await createRecord<Project>(context, caches.projects, 'project', project)
      return { status: 201, body: toJson(created), headers: { Location: `/api/projects/${id}` } }
    },
    async tryRepository({ body, untilGone }) {
      await checkCreate(context, body)
      return { status: 200, body: represent(await context.repositoryTrials.run(body, untilGone())) }
    },
    getProject: async ({ params }) => ({ status: 200, body: toJson(await read(params.id)) }),
    async updateProject({ params, body, ifMatch }) {
      const key = { kind: 'project', id: params.id }
      const { object, result } = await changeRecord(client, caches.projects, key, (project) => {
        context.preconditions.project(ifMatch, project)
        const before = toProjectInput(project.spec)
        const input = edit(toProjectRecord(project), before, body)
        if (input !== undefined) checkPlaces(context, input, before)
        if (input !== undefined && input.default_branch !== before.default_branch) checkBase(context, input)
        const spec = input && editSpec(project.spec, toProjectSpec(before), toProjectSpec(input))
        return { write: spec && { ...project, spec }, result: spec !== undefined }
      })
      return { status: 200, body: toJson(object), headers: editHeaders('project', object, result) }
    },
    async deleteProject({ params, ifMatch }) {
      const key = { kind: 'project', id: params.id }
      await changeRecord(client, caches.projects, key, (project) => {
        context.preconditions.project(ifMatch, project)
        checkUnused(caches, params.id)
        return { write: project, isRemoval: true, result: undefined }
      })
      return { status: 204, body: undefined }
    },
    async getProjectManifest({ params }) {
      const object = await read(params.id)
      return { status: 200, body: await printManifest(context, { cache: caches.projects, object }) }
    },
  } satisfies Partial<Handlers>
}

/** @throws ApiError `invalid_request` for a default branch beside which git could not keep those of tasks */
function checkBase({ branchPrefix }: ApiContext, { default_branch: base }: ProjectInput): void {
  const problem = base === undefined ? undefined : findReservedProblem(base, branchPrefix)
  if (problem !== undefined) throw apiError('invalid_request', `default_branch: ${problem}`)
}

/** Refuses what a create of a project with this repository would refuse, in the same words: by a dry run of one. */
async function checkCreate(context: ProjectContext, input: RepositoryTry): Promise<void> {
  const { client, caches, namespace, makeId } = context
  checkRepositoryUrl(context, 'remote_url', input.remote_url)
  const metadata = { name: makeId('project'), namespace }
  const spec = toProjectSpec({ name: 'a trial', ...input })
  await client.create<Project>(
    caches.projects.informer.resource,
    { apiVersion: API_VERSION, kind: 'Project', metadata, spec },
    { dryRun: true },
  )
}

/** What an edit leaves as it is, is not judged again: somebody else may have stored it under other rules. */
function checkPlaces(context: LocalPathRule, input: ProjectInput, before?: ProjectInput): void {
  if (input.local_path !== before?.local_path) checkLocalPath(context, 'local_path', input.local_path)
  if (input.remote_url !== before?.remote_url) checkRepositoryUrl(context, 'remote_url', input.remote_url)
}

/** @throws ApiError `in_use` naming the tasks and stories that refer to it */
function checkUnused({ tasksOfProject, storiesOfProject }: Caches, id: string): void {
  const users = [
    ...tasksOfProject(id).map(({ metadata }) => `task ${metadata.name}`),
    ...storiesOfProject(id).map(({ metadata }) => `story ${metadata.name}`),
  ]
  if (users.length > 0) throw apiError('in_use', 'project', id, users, ['refers to it', 'refer to it'])
}

function toJson(project: Project): Representation<ProjectRecord> {
  const { json } = represent(toProjectRecord(project))
  return { json, etag: entityTag(versionOf(project)) }
}
