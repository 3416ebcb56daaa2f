/**
 * Performs the writes of a step, in order; with apply-volume.ts the only code of the operator that writes.
 *
 * Every change of an object is a compare-and-swap on the version that the decision was made from, so a step made from
 * old knowledge fails as a whole with Conflict and is decided anew. What must not be made twice has a derived name:
 * finding it there already is success, provided that it belongs to the same owner. What was written is told to the
 * caches at once, so that the next step does not wait for the watch.
 */
import { claimConditions, claimExecution, claimServers } from '../core/conditions.ts'
import type { Execution, ExecutionStatus } from '../core/crd/types.ts'
import { ANNOTATIONS, FINALIZER, LABELS, MANAGED_BY } from '../core/names.ts'
import { executionPath } from '../core/execution/layout.ts'
import { isTerminal } from '../core/execution/state.ts'
import { acquireLease, releaseLease } from '../kube/lease.ts'
import { EXECUTIONS, JOBS, STORY_EVENTS } from '../kube/resources.ts'
import {
  type DeleteOptions,
  type KubeClient,
  type KubeObject,
  type ObjectKey,
  type Resource,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  KubeError,
} from '../kube/types.ts'
import { allDone } from '../lib/async.ts'
import { writePrompt } from '../lib/query-files.ts'
import type { Action, Annotated, ExecutionWrite, Held } from './action.ts'
import { applyToVolume } from './apply-volume.ts'
import type { OperatorContext, View } from './context.ts'
import { keepServiceLogs } from './service-logs.ts'

const { action, by, comment, answer, agent, status, mode } = ANNOTATIONS
const ACTION_NAMES = [action, by, comment, answer, agent, status, mode]

/** What a step has written so far: its later writes build on its earlier ones. */
type Written = Map<string, KubeObject>

/**
 * @param lost aborts when another operator leads: nothing is written from then on
 * @throws KubeError, in particular Conflict when the step was decided from something outdated; the reason of `lost`
 */
export async function applyStep(
  context: OperatorContext,
  actions: readonly Action[],
  lost?: AbortSignal,
): Promise<void> {
  const written: Written = new Map()
  const client = lost === undefined ? context.client : writingUntil(context.client, lost)
  const asked = actions
    .flatMap((action) => (action.kind === 'addMessage' ? action.kept : [action]))
    .find(({ kind }) => kind === 'clearAnnotations')
  // What was carried out and could only not be removed is not carried out again.
  const isTaken = asked?.kind === 'clearAnnotations' && isUncleared(context, asked.of)
  for (const action of isTaken ? [asked] : actions) {
    lost?.throwIfAborted()
    await applyAction({ ...context, client }, action, written)
  }
}

/** A client that writes nothing more once `lost` has aborted: an action may write after it has read, and beside another. */
export function writingUntil(client: KubeClient, lost: AbortSignal): KubeClient {
  const begin = <T>(write: () => Promise<T>): Promise<T> => (lost.aborted ? Promise.reject(lost.reason) : write())
  return {
    ...client,
    create: (...of) => begin(() => client.create(...of)),
    replace: (...of) => begin(() => client.replace(...of)),
    replaceStatus: (...of) => begin(() => client.replaceStatus(...of)),
    mergePatch: (...of) => begin(() => client.mergePatch(...of)),
    delete: (...of) => begin(() => client.delete(...of)),
  }
}

async function applyAction(context: OperatorContext, action: Action, written: Written): Promise<unknown> {
  const { views } = context
  switch (action.kind) {
    case 'together':
      return applyTogether(context, action.actions, written)
    case 'takeSlot':
      return takeLease(context, action, action.agent)
    case 'takeBranch':
      return takeLease(context, action, '')
    case 'releaseSlot':
      return releaseSlot(context, action)
    case 'createExecution':
      return createExecution(context, action.execution)
    case 'askAgent':
      return askAgent(context, action)
    case 'deleteExecution':
      return deleteExecution(context, action.execution)
    case 'createJob':
      return createJob(context, action)
    case 'createStoryEvent':
      return views.storyEvents.observe(await createOnce(context.client, STORY_EVENTS, action.event))
    case 'deleteJob':
      return deleteJob(context, action)
    case 'writeTask':
      return writeStatus(context, views.tasks, action.task, action.status, written)
    case 'writeExecution':
      return writeStatus(context, views.executions, action.execution, withConditions(context, action), written)
    case 'addMessage':
      return addMessage(context, action, written)
    case 'writeAgent':
      return writeStatus(context, views.agents, action.agent, action.status, written)
    case 'writeStory':
      return writeStatus(context, views.stories, action.story, action.status, written)
    case 'writeEpic':
      return writeStatus(context, views.epics, action.epic, action.status, written)
    case 'writeProject':
      return writeStatus(context, views.projects, action.project, action.status, written)
    case 'removeFinalizer':
      return removeFinalizer(context, action.of, written)
    case 'clearAnnotations':
      return clearAnnotations(context, action.of, action.names, written)
    case 'prepareVolume':
    case 'writeMessages':
    case 'takeBackCredentials':
    case 'keepSandbox':
    case 'removeFolders':
      return applyToVolume(context, action)
    case 'keepServiceLogs':
      return keepServiceLogs(context, action)
    case 'recordEvent': {
      const { regarding, ...note } = action.event
      return context.events.record(regarding, note)
    }
    default:
      return action satisfies never
  }
}

/** None is left under way when this ends: what comes next must see all that was written. */
async function applyTogether(context: OperatorContext, actions: readonly Action[], written: Written): Promise<void> {
  await allDone(actions.map((action) => applyAction(context, action, written)))
}

/** An execution's conditions say nothing but its state. */
function withConditions({ clock }: OperatorContext, { execution, status }: ExecutionWrite): ExecutionStatus {
  return { ...status, ...claimConditions(execution, [claimExecution(status), ...claimServers(status)], clock.now()) }
}

/** The server says what it has stored; nothing else tells that it knows no messages. */
async function addMessage(
  context: OperatorContext,
  action: Extract<Action, { kind: 'addMessage' }>,
  written: Written,
): Promise<void> {
  const stored = await writeStatus(context, context.views.executions, action.execution, action.status, written)
  const isKept = stored.status?.messages?.some(({ id }) => id === action.id) === true
  for (const next of isKept ? action.kept : action.dropped) await applyAction(context, next, written)
}

async function takeLease(
  context: OperatorContext,
  { lease: key, execution }: { readonly lease: ObjectKey; readonly execution: string },
  agent: string,
): Promise<void> {
  // For a branch the agent is empty: the cache of Leases selects by this label.
  const labels = { [LABELS.agent]: agent, [LABELS.managedBy]: MANAGED_BY }
  const claim = { holder: execution, now: context.clock.now(), labels }
  const outcome = await orOutdated(acquireLease(context.client, key, claim, { lease: context.views.leases.get(key) }))
  context.views.leases.observe(outcome.lease)
  if (outcome.kind === 'heldBy') throw outdated(`${key.name} is held by ${outcome.holder}`)
}

async function releaseSlot(context: OperatorContext, action: Extract<Action, { kind: 'releaseSlot' }>): Promise<void> {
  const { lease, execution } = action
  const known = { lease: context.views.leases.get(lease) }
  const released = await orOutdated(releaseLease(context.client, lease, execution, known))
  if (released !== undefined) context.views.leases.observe(released)
}

async function createExecution({ client, views }: OperatorContext, execution: Execution): Promise<void> {
  const found = await createOnce(client, EXECUTIONS, execution)
  views.executions.observe(found)
  // It was given up meanwhile: the next one gets the next number.
  if (isTerminal(found)) throw outdated(`execution ${execution.metadata.name} has ended already`)
}

/** What an interrupted step has asked already is not asked in other words. */
async function askAgent(
  { client, views, settings, onVolume }: OperatorContext,
  { execution, prompt }: Extract<Action, { kind: 'askAgent' }>,
): Promise<void> {
  const { name, namespace } = execution.metadata
  if ((await client.find(EXECUTIONS, { name, namespace })) === undefined) {
    const path = executionPath(name)
    await onVolume({ kind: 'write', path }, (lost) => writePrompt(settings.volumeRoot, name, prompt, lost))
  }
  views.executions.observe(await createOnce(client, EXECUTIONS, execution))
}

/** Its Jobs are collected with it. */
async function deleteExecution({ client, views }: OperatorContext, execution: Execution): Promise<void> {
  await deleteOnce(client, EXECUTIONS, execution)
  views.executions.observeDeleted(execution)
}

/** Deletes an object and none that has its name by now: where the uids differ, as where nothing is found, it is gone. */
export async function deleteOnce<T extends KubeObject>(
  client: Pick<KubeClient, 'delete'>,
  resource: Resource<T>,
  { metadata: { name, namespace, uid } }: T,
  how: Pick<DeleteOptions, 'propagationPolicy'> = {},
): Promise<void> {
  try {
    await client.delete(resource, { name, namespace }, { ...how, ...(uid !== undefined && { preconditions: { uid } }) })
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error
  }
}

async function createJob(
  { client, views }: OperatorContext,
  { job }: Extract<Action, { kind: 'createJob' }>,
): Promise<void> {
  views.jobs.observe(await createOnce(client, JOBS, job))
}

/** Creates an object, or finds the one that an earlier, interrupted step has created. */
async function createOnce<T extends KubeObject>(
  client: OperatorContext['client'],
  resource: Resource<T>,
  object: T,
): Promise<T> {
  try {
    return await client.create(resource, object)
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    const { name, namespace } = object.metadata
    const found = await client.get(resource, { name, namespace })
    if (ownerOf(found) === ownerOf(object) && found.metadata.deletionTimestamp === undefined) return found
    throw outdated(`${resource.kind} ${name} of an earlier owner is still being collected`)
  }
}

/** The uid of the object that an object was made for. */
export function ownerOf({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid
}

/** The cache is told at once: while it knew of no deletion the same step would be decided over and over. */
async function deleteJob(
  { client, views }: OperatorContext,
  { job }: Extract<Action, { kind: 'deleteJob' }>,
): Promise<void> {
  const { name, namespace, uid } = job.metadata
  await deleteOnce(client, JOBS, job, { propagationPolicy: 'Foreground' })
  const left = await client.find(JOBS, { name, namespace })
  if (left?.metadata.uid === uid && left !== undefined) views.jobs.observe(left)
  else views.jobs.observeDeleted(job)
}

async function writeStatus<T extends KubeObject & { readonly status?: unknown }>(
  { client }: OperatorContext,
  view: View<T>,
  object: T,
  status: T['status'],
  written: Written,
): Promise<T> {
  const next = { ...object, status, metadata: latestOf(view, object, written).metadata }
  const stored = await orOutdated(client.replaceStatus(view.resource, next))
  remember(view, stored, written)
  return stored
}

/** NotFound means that the cache is stale; retry once it has caught up. */
async function orOutdated<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    throw isNotFound(error) ? outdated(error.message) : error
  }
}

async function removeFinalizer(context: OperatorContext, of: Held, written: Written): Promise<void> {
  const finalizers = (of.object.metadata.finalizers ?? []).filter((name) => name !== FINALIZER)
  switch (of.kind) {
    case 'Task':
      return patchMetadata(context, context.views.tasks, of.object, { finalizers }, written)
    case 'Execution':
      return patchMetadata(context, context.views.executions, of.object, { finalizers }, written)
    default:
      return of satisfies never
  }
}

/** The same values once more are no new action: only a change is. */
function isUncleared({ uncleared }: OperatorContext, { object: { metadata } }: Annotated): boolean {
  return uncleared.get(metadata.uid ?? '') === nameAsked(metadata)
}

function nameAsked({ annotations = {} }: KubeObject['metadata']): string {
  return JSON.stringify(ACTION_NAMES.map((key) => annotations[key]))
}

async function clearAnnotations(
  context: OperatorContext,
  of: Annotated,
  names: readonly string[],
  written: Written,
): Promise<void> {
  const { metadata } = of.object
  try {
    await removeAnnotations(context, of, names, written)
  } catch (error) {
    if (isInvalid(error) || isForbidden(error)) context.uncleared.set(metadata.uid ?? '', nameAsked(metadata))
    throw error
  }
}

async function removeAnnotations(
  context: OperatorContext,
  of: Annotated,
  names: readonly string[],
  written: Written,
): Promise<void> {
  const annotations = Object.fromEntries(names.map((name) => [name, null]))
  switch (of.kind) {
    case 'Task':
      return patchMetadata(context, context.views.tasks, of.object, { annotations }, written)
    case 'Agent':
      return patchMetadata(context, context.views.agents, of.object, { annotations }, written)
    case 'Story':
      return patchMetadata(context, context.views.stories, of.object, { annotations }, written)
    default:
      return of satisfies never
  }
}

/** A merge patch that names the version it was decided from is a compare-and-swap too. */
async function patchMetadata<T extends KubeObject>(
  { client }: OperatorContext,
  view: View<T>,
  object: T,
  change: object,
  written: Written,
): Promise<void> {
  const { name, namespace, resourceVersion, uid } = latestOf(view, object, written).metadata
  const patch = { metadata: { ...change, resourceVersion, uid } }
  try {
    remember(view, await client.mergePatch(view.resource, { name, namespace }, patch), written)
  } catch (error) {
    // A finalizer that is already gone took the object with it.
    if (!isNotFound(error)) throw error
  }
}

function remember<T extends KubeObject>(view: View<T>, object: T, written: Written): void {
  written.set(identify(view, object), object)
  const isGone = object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers ?? []).length === 0
  if (isGone) view.observeDeleted(object)
  else view.observe(object)
}

function latestOf<T extends KubeObject>(view: View<T>, object: T, written: Written): KubeObject {
  return written.get(identify(view, object)) ?? object
}

function identify({ resource }: Pick<View<KubeObject>, 'resource'>, { metadata }: KubeObject): string {
  return `${resource.plural}/${metadata.namespace ?? ''}/${metadata.name}`
}

function outdated(message: string): KubeError {
  return new KubeError(409, 'Conflict', message)
}
