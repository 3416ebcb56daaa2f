/**
 * The containers of one pod on this node: started, followed to their end, found again after a restart. What is known
 * of each is a record in `State`; deciding from it is the worker's.
 */
import { rm } from 'node:fs/promises'
import type { Container, Pod } from '../kube/builtin.ts'
import { containerId, launch, pathsOf } from './container.ts'
import type { NodeContext } from './context.ts'
import { ContainerConfigError, ContainerRefused } from './errors.ts'
import type { Exit } from './exit.ts'
import { readRestarts, writeExit, writeRestarts } from './exit.ts'
import { keepTending } from './log-file.ts'
import { readMessage } from './message.ts'
import type { ContainerRecord } from './pod.ts'
import type { RunningContainer } from './process.ts'
import { adoptContainer, notStarted } from './process.ts'

const RETRY_MS = 2_000

/** What a worker knows of its pod. */
export interface State {
  pod: Pod
  readonly startedAt: Date
  readonly containers: Map<string, ContainerRecord>
  readonly handles: Map<string, Handle>
  /** The status written last, as JSON. */
  written: string
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
    state.containers.set(container.name, { ...kept, run })
    return
  }
  if (!(error instanceof ContainerRefused)) throw error
  const exit: Exit = { ...notStarted(error.message), finishedAt: context.clock.now().toISOString() }
  await writeExit(pathsOf(context, state.pod, container), exit)
  state.containers.set(container.name, { ...kept, run: { kind: 'ended', exit } })
}

/** Takes note of a container's end when it comes, and tends its log until then. */
function follow(worker: Worker, container: Container, running: RunningContainer): void {
  const { context, state, wake } = worker
  const note = async (): Promise<void> => {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, worker.stopping])
    const tended = keepTending(pathsOf(context, state.pod, container), context.clock, signal)
    const exit = await running.ended
    over.abort()
    await tended
    await ended(worker, container, exit)
  }
  const noted = note()
    .catch((error: unknown) => {
      context.logger.error({ error, container: container.name }, 'the end of a container was not noted')
    })
    .finally(wake)
  state.handles.set(container.name, { container: running, noted })
}

async function ended({ context, state }: Worker, container: Container, exit: Exit): Promise<void> {
  const message = await readMessage(context, container, pathsOf(context, state.pod, container), exit)
  const before = state.containers.get(container.name)
  state.handles.delete(container.name)
  state.containers.set(container.name, {
    restarts: before?.restarts ?? 0,
    ...(before?.last === undefined ? {} : { last: before.last }),
    run: { kind: 'ended', exit, ...(message === undefined ? {} : { message }) },
  })
}

/** Finds what an earlier node process left: running, ended or lost. */
export async function adoptAll(worker: Worker): Promise<void> {
  const { context, state } = worker
  for (const container of [...(state.pod.spec.initContainers ?? []), ...state.pod.spec.containers]) {
    const paths = pathsOf(context, state.pod, container)
    const id = containerId(state.pod, container)
    const found = await adoptContainer({ paths, id, isSandbox: context.runtime === 'bwrap', clock: context.clock })
    if (found === undefined) continue
    const { count, last } = await readRestarts(paths)
    const kept = { restarts: count, ...(last === undefined ? {} : { last }) }
    if ('ended' in found) {
      state.containers.set(container.name, { ...kept, run: { kind: 'running', startedAt: found.startedAt } })
      follow(worker, container, found)
    } else {
      state.containers.set(container.name, { ...kept, run: { kind: 'ended', exit: found } })
      await ended(worker, container, found)
    }
  }
}
