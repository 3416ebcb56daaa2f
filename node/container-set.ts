/**
 * The containers of one pod on this node: started, followed to their end, found again after a restart. What is known
 * of each is a record in `State`; deciding from it is the worker's.
 */
import { rm } from 'node:fs/promises'
import type { Container, Pod } from '../kube/builtin.ts'
import { containerId, launch, pathsOf } from './container.ts'
import type { NodeContext } from './context.ts'
import { messageOf } from '../lib/error-message.ts'
import { ContainerConfigError, ContainerRefused } from './errors.ts'
import { type Exit, readRestarts, writeExit, writeRestarts } from './exit.ts'
import { keepMaintained } from './log-file.ts'
import { readTerminationMessage } from './termination-message.ts'
import type { ContainerRecord } from './pod.ts'
import { type RunningContainer, adoptContainer, isLost, loseContainer, notStarted } from './process.ts'
import { retry } from './retry.ts'
import { reportedRun } from './reported-status.ts'

const RETRY_MS = 2_000

/** What a worker knows of its pod. */
export interface State {
  pod: Pod
  readonly startedAt: Date
  readonly containers: Map<string, ContainerRecord>
  readonly handles: Map<string, Handle>
  /** The status written last, as JSON. */
  written: string
  /** What failed last, until something succeeds. */
  complaint: string
}

interface Handle {
  readonly container: RunningContainer
  /** Its end is in `containers`. */
  readonly noted: Promise<void>
}

/** What the parts of a worker share. */
export interface Worker {
  readonly context: NodeContext
  readonly state: State
  readonly wake: () => void
  readonly hurry: AbortSignal
  readonly stopping: AbortSignal
}

/** Ends containers, each with its grace, and waits until their ends are noted. */
export async function end({ state, hurry }: Worker, containers: readonly string[], graceMs: number): Promise<void> {
  await Promise.all(
    containers.map(async (name) => {
      const handle = state.handles.get(name)
      await handle?.container.end(graceMs, hurry)
      await handle?.noted
    }),
  )
}

/** Starts a container, or takes note of why it cannot start. */
export async function start(worker: Worker, container: Container, isRestart: boolean): Promise<void> {
  const { context, state } = worker
  const paths = pathsOf(context, state.pod, container)
  const before = state.containers.get(container.name)
  let kept = { restarts: before?.restarts ?? 0, ...(before?.last === undefined ? {} : { last: before.last }) }
  if (isRestart && before?.run.kind === 'ended') {
    const last = before.run.exit
    kept = { restarts: kept.restarts + 1, last }
    await writeRestarts(paths, { count: kept.restarts, last })
    await Promise.all([paths.state, paths.pids].map((path) => rm(path, { force: true })))
  }
  try {
    const handle = await launch(context, state.pod, container)
    state.containers.set(container.name, { ...kept, run: { kind: 'running', startedAt: handle.startedAt } })
    follow(worker, container, handle)
  } catch (error) {
    await handleFailure(worker, container, kept, error)
  }
}

async function handleFailure(
  worker: Worker,
  container: Container,
  kept: Omit<ContainerRecord, 'run'>,
  error: unknown,
): Promise<void> {
  const { context, state } = worker
  if (error instanceof ContainerConfigError) {
    const retryAt = new Date(context.clock.now().getTime() + RETRY_MS)
    const run = { kind: 'waiting', reason: 'CreateContainerConfigError', message: error.message, retryAt } as const
    const before = state.containers.get(container.name)?.run
    if (before?.kind !== 'waiting' || before.message !== error.message) recordStartFailure(worker, container, error)
    state.containers.set(container.name, { ...kept, run })
    return
  }
  if (!(error instanceof ContainerRefused)) throw error
  recordStartFailure(worker, container, error)
  const exit: Exit = { ...notStarted(error.message), finishedAt: context.clock.now().toISOString() }
  state.containers.set(container.name, { ...kept, run: { kind: 'ended', exit } })
  // The API is told of this end, and a later node believes it: a disk that refuses the file changes nothing.
  await writeExit(pathsOf(context, state.pod, container), exit).catch((cause: unknown) => {
    context.logger.warn({ error: cause, ...namesOf(worker, container) }, 'the end of a container is not on disk')
  })
}

/** As a kubelet tells it: an Event beside the status, and one line for whoever runs the node. */
function recordStartFailure(worker: Worker, container: Container, { message }: Error): void {
  const { context, state } = worker
  const pod = { ...state.pod, apiVersion: 'v1', kind: 'Pod' }
  context.events.record(pod, { type: 'Warning', reason: 'Failed', message: `Error: ${message}` })
  context.logger.warn({ ...namesOf(worker, container), reason: message }, 'a container cannot start')
}

function namesOf({ state }: Worker, container: Container): { readonly pod: string; readonly container: string } {
  return { pod: state.pod.metadata.name, container: container.name }
}

/** Takes note of a container's end when it comes, and maintains its log until then. */
function follow(worker: Worker, container: Container, running: RunningContainer): void {
  const over = new AbortController()
  const maintained = maintain(worker, container, AbortSignal.any([over.signal, worker.stopping]))
  const note = async (): Promise<void> => {
    if ((await Promise.race([running.ended, maintained])) === 'gone') await endLost(worker, container, running)
    const exit = await running.ended
    over.abort()
    const isGone = (await maintained) === 'gone'
    const { dir } = pathsOf(worker.context, worker.state.pod, container)
    const message = `its folder ${dir} was removed while it ran`
    await ended(worker, container, isGone && isLost(exit) ? { ...exit, message } : exit)
  }
  worker.state.handles.set(container.name, { container: running, noted: note().finally(worker.wake) })
}

/** Never rejects: the log of a container is worth less than the container. Each cause is told once. */
function maintain(worker: Worker, container: Container, signal: AbortSignal): Promise<'over' | 'gone'> {
  const { clock, logger } = worker.context
  const told = new Set<string>()
  const onFailure = (error: unknown): void => {
    if (!told.has(messageOf(error)))
      logger.warn({ error, ...namesOf(worker, container) }, 'the log of a container is cut')
    told.add(messageOf(error))
  }
  return keepMaintained(pathsOf(worker.context, worker.state.pod, container), { clock, signal, onFailure })
}

/** Without its folder neither its output nor its end can be known, nor could a later node find it. */
async function endLost(worker: Worker, container: Container, running: RunningContainer): Promise<void> {
  const { clock, logger } = worker.context
  const names = namesOf(worker, container)
  logger.error(names, 'the folder of a running container was removed, so it is ended')
  const onFailure = (error: unknown): void =>
    logger.warn({ error, ...names }, 'ending a container failed, trying again')
  const end = async (): Promise<void> => void (await running.end(0, AbortSignal.abort()))
  await retry(end, { clock, everyMs: RETRY_MS, onFailure })
}

async function ended(worker: Worker, container: Container, exit: Exit): Promise<void> {
  const { context, state } = worker
  const before = state.containers.get(container.name)
  const message = await readTerminationMessage(context, container, pathsOf(context, state.pod, container), exit).catch(
    (error: unknown) => {
      context.logger.warn({ error, ...namesOf(worker, container) }, 'a termination message cannot be read')
      return undefined
    },
  )
  state.handles.delete(container.name)
  state.containers.set(container.name, {
    restarts: before?.restarts ?? 0,
    ...(before?.last === undefined ? {} : { last: before.last }),
    run: { kind: 'ended', exit, ...(message === undefined ? {} : { message }) },
  })
}

/**
 * Finds what an earlier node process left: running, ended or lost. What the API was told to be running, and of which
 * nothing is left here, is lost as well, and not started a second time.
 */
export async function adoptAll(worker: Worker): Promise<void> {
  const { context, state } = worker
  const { clock, logger } = context
  for (const container of [...(state.pod.spec.initContainers ?? []), ...state.pod.spec.containers]) {
    // Found before a failure made this begin again.
    if (state.containers.has(container.name)) continue
    const paths = pathsOf(context, state.pod, container)
    const isSandbox = context.runtime === 'bwrap'
    const known = { paths, id: containerId(state.pod, container), isSandbox, clock, logger }
    const told = reportedRun(state.pod, container.name)
    const found = (await adoptContainer(known)) ?? (told && (await loseContainer(known)))
    if (found === undefined) continue
    const { count, last } = await readRestarts(paths)
    const kept = { restarts: count, ...(last === undefined ? {} : { last }) }
    if ('ended' in found) {
      const startedAt = told?.startedAt === undefined ? found.startedAt : new Date(told.startedAt)
      state.containers.set(container.name, { ...kept, run: { kind: 'running', startedAt } })
      follow(worker, container, found)
    } else {
      state.containers.set(container.name, { ...kept, run: { kind: 'ended', exit: found } })
      await ended(worker, container, found)
    }
  }
}
