/**
 * One fix-up task per repository and commit, whatever arrives how often and where.
 *
 * A task is named after repository and commit, and remembers the runs it was made of in an annotation. Two deliveries
 * at once therefore ask for the same name: one creates it, the other finds it taken, looks again and appends, or finds
 * itself named already. Nothing is kept in this process, so a restart or a second server changes nothing.
 */
import { createHash } from 'node:crypto'
import type { Project, Task } from '../../core/crd/types.ts'
import { apiError, isApiError } from '../../core/errors.ts'
import { ANNOTATIONS, BRANCH_PREFIX } from '../../core/names.ts'
import { hasSecret, redactUrls } from '../../core/redact-urls.ts'
import { RUN_POLICY_WORDS } from '../../core/enum-values.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { findBranchNameProblem } from '../../core/story/branch-name.ts'
import { stateOf } from '../../core/task/decide.ts'
import { deliveredBranch } from '../../core/task/delivery.ts'
import type { CiFailure } from '../../core/webhook/event.ts'
import { appendFailure, fixDescription, fixTitle } from '../../core/webhook/fix-task.ts'
import { matchProject } from '../../core/webhook/match-project.ts'
import { TASKS } from '../../kube/resources.ts'
import type { ApiContext } from '../context.ts'
import { markEdited } from '../commands/merge-edit.ts'
import { type CreateTaskContext, createTask } from '../commands/create-task.ts'
import { changeRecord } from '../commands/writes.ts'
import { type ChosenRepository, chooseRepository } from './repository.ts'

export interface FiledFailure {
  readonly taskId: string
  /** False: the task was there already. */
  readonly isNew: boolean
}

const MAX_RACES = 10
/** Fix-up tasks of one branch of agents that nobody has decided about yet (specification §8.32). */
const MAX_UNDECIDED = 3
/** As long as the CRD lets a branch's name be. */
const MAX_BRANCH = 250
/** Runs that a task remembers; more do not fit into an annotation for ever. */
const MAX_RUNS = 500

/** How often a name is looked at again that a task still has which is being deleted; half a second each at most. */
const MAX_WAITS = 10

/**
 * Finds or makes the fix-up task of a failure.
 *
 * A deleted task is forgotten with all its runs: what arrives afterwards makes a new one. While it is on its way out its
 * name is waited for. Were it left for the next name, another delivery could find it free a moment later, and the
 * commit would have two tasks.
 *
 * @param author whose task it is; a failure that is appended leaves the task its author's
 * @throws ApiError `unprocessable` when no project matches, or the event names no repository that can be cloned
 * @throws ApiError `unavailable` when others change the same tasks again and again; never a 409, which no sender repeats
 */
export async function fileFailure(
  context: CreateTaskContext,
  failure: CiFailure,
  author: string,
): Promise<FiledFailure> {
  const { project, repository } = chooseProject(context, failure)
  const subject = `${repository.url}@${failure.commit}`
  // Names that another delivery took while this one looked.
  const taken = new Set<string>()
  const branch = findOriginalBranch(context, repository.url, failure)
  for (let race = 0; race < MAX_RACES; race++) {
    const known = await findTasks(context, subject, taken)
    const ofBranch = isOfAgents(context, failure) ? await findUndecided(context, repository.url, branch) : []
    const same = [...known, ...ofBranch].find((task) => hasRun(task, failure))
    if (same !== undefined) return { taskId: same.metadata.name, isNew: false }
    const [newest] = ofBranch
    const isFull = ofBranch.length >= MAX_UNDECIDED
    const open = known.find(isUnfinished) ?? (isFull ? ofBranch.find(isUnfinished) : undefined)
    if (open !== undefined && (await tryAppend(context, open.metadata.name, failure)))
      return { taskId: open.metadata.name, isNew: false }
    if (open !== undefined) continue
    if (isFull && newest !== undefined) return { taskId: newest.metadata.name, isNew: false }
    const id = freeName(subject, known, taken)
    if (await tryCreate(context, id, { failure, project, repository, subject, branch, author }))
      return { taskId: id, isNew: true }
    if (await isTaken(context, id)) taken.add(id)
  }
  throw apiError('unavailable', `the fix-up task of commit ${failure.commit} keeps changing; try again`)
}

/** Whether a task has this name and keeps it; one that is being deleted is waited for, though not for ever. */
async function isTaken({ client, caches, namespace }: ApiContext, name: string): Promise<boolean> {
  for (let wait = 1; wait <= MAX_WAITS; wait++) {
    const task = await client.find(TASKS, { namespace, name })
    if (task === undefined) return false
    if (task.metadata.deletionTimestamp === undefined) return true
    await caches.tasks.readAfterRaces(name, wait)
  }
  return true
}

/** The tasks about a repository and commit as they are now; the cache only says where to look. */
async function findTasks({ caches }: ApiContext, subject: string, names: ReadonlySet<string>): Promise<Task[]> {
  const isAbout = (task: Task): boolean => task.metadata.annotations?.[ANNOTATIONS.fixes] === subject
  const cached = caches.tasks.list().filter(isAbout)
  const all = new Set([...cached.map(({ metadata }) => metadata.name), ...names])
  const live = await Promise.all([...all].map((name) => caches.tasks.readLive(name)))
  return live.flatMap((task) => (task !== undefined && isAbout(task) ? [task] : []))
}

/**
 * The branch that a failure belongs to: where CI fails on the branch of a fix-up task, that which the task was made for.
 * So the fix-ups of fix-ups count together. What came of a fork has a name that no branch here has.
 */
function findOriginalBranch({ caches }: ApiContext, url: string, failure: CiFailure): string | undefined {
  const { branch, fork } = failure
  if (branch === undefined) return undefined
  if (fork !== undefined) return `${fork}:${branch}`
  const fixUp = caches.tasks.list().find((task) => isFixUp(task, url) && deliveredBranch(task, undefined) === branch)
  return fixUp?.metadata.annotations?.[ANNOTATIONS.fixesBranch] ?? branch
}

/** Whether the code that failed is of a task, a story or a fork, and not what people push themselves. */
function isOfAgents({ caches, branchPrefix = BRANCH_PREFIX }: ApiContext, { branch, fork }: CiFailure): boolean {
  if (branch === undefined || fork !== undefined) return fork !== undefined
  return branch.startsWith(branchPrefix) || caches.tasks.list().some(({ status }) => status?.branch === branch)
}

/** Newest first, as they are now. */
async function findUndecided({ caches }: ApiContext, url: string, branch: string | undefined): Promise<Task[]> {
  const isOne = (task: Task | undefined): task is Task =>
    task !== undefined &&
    task.metadata.deletionTimestamp === undefined &&
    isFixUp(task, url) &&
    task.metadata.annotations?.[ANNOTATIONS.fixesBranch] === branch &&
    (task.status?.decisions ?? []).length === 0
  const cached = branch === undefined ? [] : caches.tasks.list().filter(isOne)
  const live = await Promise.all(cached.map(({ metadata }) => caches.tasks.readLive(metadata.name)))
  const madeAt = ({ metadata }: Task): string => metadata.creationTimestamp ?? ''
  return live.filter(isOne).sort((a, b) => madeAt(b).localeCompare(madeAt(a)))
}

function isFixUp({ metadata }: Task, url: string): boolean {
  return metadata.annotations?.[ANNOTATIONS.fixes]?.startsWith(`${url}@`) === true
}

/** The next name in a row that every delivery counts alike. */
function freeName(subject: string, known: readonly Task[], taken: ReadonlySet<string>): string {
  const hash = createHash('sha256').update(subject).digest('hex').slice(0, 20)
  const names = [...known.map(({ metadata }) => metadata.name), ...taken]
  return `fix-${hash}-${Math.max(0, ...names.map((name) => Number(name.split('-').pop()))) + 1}`
}

function chooseProject({ caches }: ApiContext, failure: CiFailure): { project: Project; repository: ChosenRepository } {
  const { name, urls } = failure.repository
  const isSame = ({ spec }: Project): boolean => chooseRepository(urls, spec.remoteUrl)?.isOfProject === true
  const match = matchProject(name, caches.projects.list(), isSame)
  if (match.kind === 'none') throw apiError('unprocessable', match.message)
  const repository = chooseRepository(urls, match.project.spec.remoteUrl)
  if (repository === undefined)
    throw apiError('unprocessable', `the event names no repository that can be cloned: ${name}`)
  return { project: match.project, repository }
}

/** What a task can still be told; RUNNING too, for nothing that failed may get lost. */
function isUnfinished(task: Task): boolean {
  const state = stateOf(task)
  return ['PENDING', 'QUEUED', 'RUNNING', 'BLOCKED'].includes(state) || task.status?.resumeAfter !== undefined
}

/** Kind, id and attempt name a run; a delivery of it that comes again has the same. */
function runKey({ kind, id, attempt }: CiFailure): string {
  return `${kind}/${id}/${attempt}`
}

/** A task that stands for further commits of its branch names those beside their runs. */
function keyIn({ metadata }: Task, failure: CiFailure): string {
  const isOwn = metadata.annotations?.[ANNOTATIONS.fixes]?.endsWith(`@${failure.commit}`) === true
  return isOwn ? runKey(failure) : `${runKey(failure)}@${failure.commit}`
}

function hasRun(task: Task, failure: CiFailure): boolean {
  return runsOf(task).includes(keyIn(task, failure))
}

function runsOf({ metadata }: Task): string[] {
  return (metadata.annotations?.[ANNOTATIONS.ciRuns] ?? '').split(' ')
}

const SEEN_TOO_LATE = 'This arrived while the agent was at work, which may not have seen it.'

/** @returns false when the task has ended or gone meanwhile, or others were faster each time: look again */
async function tryAppend(context: ApiContext, id: string, failure: CiFailure): Promise<boolean> {
  try {
    return await append(context, id, failure)
  } catch (error) {
    if (isApiError(error, 'not_found', 'write_contended')) return false
    throw error
  }
}

async function append(context: ApiContext, id: string, failure: CiFailure): Promise<boolean> {
  const { result } = await changeRecord(context.client, context.caches.tasks, { kind: 'task', id }, (task) => {
    if (hasRun(task, failure)) return { result: true }
    if (!isUnfinished(task)) return { result: false }
    const note = stateOf(task) === 'RUNNING' ? SEEN_TOO_LATE : undefined
    const description = appendFailure(task.spec.description ?? '', failure, note)
    const edited = markEdited(task, { ...task.spec, description }, context.clock.now())
    const ciRuns = [...runsOf(task), keyIn(task, failure)].slice(-MAX_RUNS).join(' ')
    const metadata = {
      ...edited.metadata,
      annotations: { ...edited.metadata.annotations, [ANNOTATIONS.ciRuns]: ciRuns },
    }
    return { write: { ...edited, metadata }, result: true }
  })
  return result
}

interface NewFix {
  readonly failure: CiFailure
  readonly project: Project
  readonly repository: ChosenRepository
  readonly subject: string
  readonly branch: string | undefined
  readonly author: string
}

/** @returns false when another delivery took the name */
async function tryCreate(context: CreateTaskContext, id: string, fix: NewFix): Promise<boolean> {
  const { failure, project, repository, subject, branch, author } = fix
  const { url } = repository
  const warning = findWarning(failure, project, repository)
  const create = {
    id,
    name: fixTitle(failure),
    description: fixDescription(failure, warning),
    project: project.metadata.name,
    ...withoutAbsent({ repository_url: hasSecret(url) ? undefined : url, base_branch: findBase(failure, project) }),
    // Code that anybody can write, and a repository that nobody registered, are worked on when a person says so.
    run_policy: RUN_POLICY_WORDS[(warning === undefined ? project.spec.runPolicy : undefined) ?? 'Manual'],
  } as const
  const annotations = {
    [ANNOTATIONS.fixes]: subject,
    [ANNOTATIONS.ciRuns]: runKey(failure),
    ...withoutAbsent({ [ANNOTATIONS.fixesBranch]: branch }),
  }
  try {
    await createTask(context, create, author, annotations)
    return true
  } catch (error) {
    if (isApiError(error, 'already_exists', 'being_deleted')) return false
    throw error
  }
}

/** A fix of a branch starts from that branch, which may hold what the default branch lacks. */
function findBase({ branch, fork, repository }: CiFailure, { spec }: Project): string | undefined {
  if (branch === undefined || fork !== undefined || branch === (spec.defaultBranch ?? repository.defaultBranch))
    return undefined
  return branch.length <= MAX_BRANCH && findBranchNameProblem(branch) === undefined ? branch : undefined
}

function findWarning(
  { fork }: CiFailure,
  project: Project,
  { isOfProject, url }: ChosenRepository,
): string | undefined {
  if (!isOfProject) return foreignWarning(project, url)
  if (fork === undefined) return undefined
  return `**Look before you run this.** The code that failed is of ${fork}, not of ${redactUrls(url)}: anybody may have written it, and what CI says about it. The task starts from the project's own code.`
}

function foreignWarning({ metadata, spec }: Project, url: string): string {
  return `**Look before you run this.** The event is about ${url}, which is not the repository of project ${metadata.name} (${redactUrls(spec.remoteUrl)}): the task would work on the former.`
}
