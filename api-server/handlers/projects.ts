import type { Project, ProjectStatus, Story } from '../../core/crd/types.ts'
import { decisionEvent } from '../../core/decision-event.ts'
import { findCacheProblem, findKeyProblem, findNestedProblem } from '../../core/environment/paths.ts'
import { requestBuild, withoutEnvironment } from '../../core/environment/requests.ts'
import { apiError } from '../../core/errors.ts'
import { isSame } from '../../core/json.ts'
import { type ProjectInput, type RepositoryTry, PROJECT } from '../../core/kinds/project.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { findReservedProblem } from '../../core/story/branch-name.ts'
import { storyBranch } from '../../core/story/branch.ts'
import { storyStatus } from '../../core/story/status.ts'
import { isSameRepository } from '../../lib/git-url.ts'
import type { Caches } from '../cache/caches.ts'
import type { ApiContext } from '../context.ts'
import { type LocalPathRule, checkLocalPath, findRefusedUrl } from '../commands/local-paths.ts'
import { requireNone } from '../commands/references.ts'
import { changeRecord } from '../commands/writes.ts'
import { newestFirst } from '../records/order.ts'
import { represent } from '../records/representation.ts'
import type { EventRecorder } from '../../kube/events.ts'
import type { Preconditions } from '../records/preconditions.ts'
import type { RepositoryTrials } from '../deployment/try-repository.ts'
import type { Handlers } from './handler.ts'
import { recordHandlers } from './record-handlers.ts'

interface ProjectContext extends ApiContext, LocalPathRule {
  readonly preconditions: Preconditions
  readonly repositoryTrials: RepositoryTrials
  readonly events: Pick<EventRecorder, 'record'>
  /** Why no setup of a project runs here; undefined: they do. */
  readonly environmentProblem?: string | undefined
}

/** The registry of repositories. */
export function projectHandlers(context: ProjectContext) {
  const all = newestFirst(context.caches.projects)
  const { list, create, get, update, remove, manifest } = recordHandlers(context, PROJECT, {
    cache: context.caches.projects,
    precondition: context.preconditions.project,
    toRecord: (project) => PROJECT.toRecord(project, context.environmentProblem),
    tagOf: ({ environments, lock_files, proposed_protected_paths, environment_problem, mirror_bytes }) =>
      JSON.stringify([environments, lock_files, proposed_protected_paths, environment_problem, mirror_bytes]),
    check: (input, { metadata }, before) => {
      check(context, input, before)
      if (input.default_branch !== before?.default_branch)
        checkStories(context.caches.storiesOfProject(metadata.name), input.default_branch)
    },
    usersOf: (id) => usersOf(context.caches, id),
  })
  return {
    listProjects: list,
    createProject: ({ body: { id, ...input } }) => create(input, id),
    async tryRepository({ body, untilGone }) {
      await checkCreate(context, body)
      const found = await context.repositoryTrials.run(body, untilGone())
      const project = all().findLast(({ spec }) => isSameRepository(spec.remoteUrl, body.remote_url))?.metadata.name
      return { status: 200, body: represent({ ...found, ...withoutAbsent({ project }) }) }
    },
    getProject: get,
    updateProject: update,
    deleteProject: remove,
    getProjectManifest: manifest,
    ...environmentHandlers(context),
  } satisfies Partial<Handlers>
}

function environmentHandlers(context: ProjectContext) {
  const { client, caches, clock, events, environmentProblem } = context
  const change = (id: string, decide: (project: Project) => ProjectStatus) =>
    changeRecord(client, caches.projects, { kind: 'project', id }, (project) => ({
      write: { ...project, status: decide(project) },
      subresource: 'status',
      result: undefined,
    }))
  return {
    async buildEnvironment({ params, caller, ifMatch }) {
      if (environmentProblem !== undefined) throw apiError('transition_refused', environmentProblem)
      const { object } = await change(params.id, (project) => {
        context.preconditions.project(ifMatch, project)
        return requestBuild(project, clock.now())
      })
      events.record(object, decisionEvent('build', 'environment asked for anew', caller.name))
      return { status: 202, body: represent(PROJECT.toRecord(object)) }
    },
    async deleteEnvironment({ params: { id, execution }, caller }) {
      const { object } = await change(id, (project) => withoutEnvironment(project, execution))
      events.record(object, decisionEvent('removeEnvironment', `environment ${execution} removed`, caller.name))
      return { status: 204, body: undefined }
    },
  } satisfies Partial<Handlers>
}

/**
 * What an edit leaves as it is, is not judged again: somebody else may have stored it under other rules.
 *
 * @throws ApiError `invalid_request` for a place that is not allowed, a default branch beside which git could not keep
 * those of tasks, or a folder of an environment inside another
 */
function check(context: ProjectContext, input: ProjectInput, before?: ProjectInput): void {
  const { local_path: path, remote_url: url, default_branch: base } = input
  if (path !== before?.local_path) checkLocalPath(context, 'local_path', path)
  if (url !== before?.remote_url) requireNone(findRefusedUrl(context, 'remote_url', url))
  const reserved = base === before?.default_branch ? undefined : base && findReservedProblem(base, context.branchPrefix)
  if (reserved !== undefined) throw apiError('invalid_request', `default_branch: ${reserved}`)
  const wrong = isSame(input.environment, before?.environment) ? [] : environmentProblems(input.environment)
  if (wrong.length > 0) throw apiError('invalid_request', wrong.join('; '))
}

/** @throws ApiError `invalid_request` for the branch of an open story, which is pushed to before it is accepted */
function checkStories(stories: readonly Story[], base: string | undefined): void {
  const story = stories.find(
    (one) => storyStatus(one) !== 'DONE' && storyBranch(one.metadata.name, one.spec.branchName) === base,
  )
  if (story === undefined) return
  const what = `${storyBranch(story.metadata.name, story.spec.branchName)} is the branch of story ${story.metadata.name}`
  throw apiError('invalid_request', `default_branch: ${what}, which has not been accepted`)
}

/** What is wrong with the paths of an environment, each with its field. */
function environmentProblems({ cache = [], keys = [] }: Partial<NonNullable<ProjectInput['environment']>> = {}) {
  const paths = cache.map(({ path }) => path)
  const nested = findNestedProblem(paths)
  return [
    ...problemsOf(paths, findCacheProblem, (i) => `environment.cache[${i}].path`),
    ...problemsOf(keys, findKeyProblem, (i) => `environment.keys[${i}]`),
    ...(nested === undefined ? [] : [`environment.cache: ${nested}`]),
  ]
}

function problemsOf(
  paths: readonly string[],
  find: (path: string) => string | undefined,
  fieldAt: (i: number) => string,
): string[] {
  return paths.flatMap((path, i) => {
    const problem = find(path)
    return problem === undefined ? [] : [`${fieldAt(i)}: ${problem}`]
  })
}

/** Refuses what a create of a project with this repository would refuse, in the same words: by a dry run of one. */
async function checkCreate(context: ProjectContext, input: RepositoryTry): Promise<void> {
  const { client, caches, namespace, makeId } = context
  requireNone(findRefusedUrl(context, 'remote_url', input.remote_url))
  const metadata = { name: makeId('project'), namespace }
  const project = PROJECT.make(metadata, PROJECT.toSpec({ name: 'a trial', ...input }))
  await client.create(caches.projects.informer.resource, project, { dryRun: true })
}

function usersOf({ tasksOfProject, storiesOfProject }: Caches, id: string): string[] {
  return [
    ...tasksOfProject(id).map(({ metadata }) => `task ${metadata.name}`),
    ...storiesOfProject(id).map(({ metadata }) => `story ${metadata.name}`),
  ]
}
