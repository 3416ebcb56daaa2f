/**
 * One pod on this node: looks, asks {@link decidePod}, acts, reports; again whenever something changed. Its memory
 * is the pod's folder and the API, so that a new worker goes on where one that was killed stopped.
 */
import { rm } from 'node:fs/promises'
import type { Container, Pod } from '../kube/builtin.ts'
import { PODS } from '../kube/resources.ts'
import { removeTree } from '../lib/files.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import { containerId, launch, pathsOf } from './container.ts'
import type { NodeContext } from './context.ts'
import { ContainerConfigError, ContainerRefused } from './errors.ts'
import type { Exit } from './exit.ts'
import { readRestarts, writeExit, writeRestarts } from './exit.ts'
import { removeVolumes } from './files.ts'
import { createLatch } from './latch.ts'
import { podDir } from './layout.ts'
import { keepTending } from './log-file.ts'
import { readMessage } from './message.ts'
import type { ContainerRecord, ObservedPod, Verdict } from './pod.ts'
import { decidePod, findVerdict } from './pod.ts'
import type { RunningContainer } from './process.ts'
import { adoptContainer, notStarted } from './process.ts'
import { toPodStatus } from './status.ts'

export interface PodWorker {
  /** The pod as the API has it now. */
  update(pod: Pod): void
  /** The API has forgotten the pod: ends what runs without grace, and removes its files. */
  forget(): void
  /** Ends what runs, with the pod's grace, and reports it. After `stop`, so that nothing is started again. */
  endPod(): Promise<void>
  /** Stops looking; what runs goes on. */
  stop(): Promise<void>
  readonly finished: Promise<void>
}

const RETRY_MS = 2_000

interface State {
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

export function startWorker(context: NodeContext, pod: Pod): PodWorker {
  const latch = createLatch(context.clock)
  const hurry = new AbortController()
  const state: State = {
    pod,
    startedAt: pod.status?.startTime === undefined ? context.clock.now() : new Date(pod.status.startTime),
    containers: new Map(),
    handles: new Map(),
    written: '',
  }
  const stopping = new AbortController()
  const worker = { context, state, wake: latch.set, hurry: hurry.signal, stopping: stopping.signal }

  const run = async (): Promise<void> => {
    await retry(
      context,
      () => adoptAll(worker),
      () => stopping.signal.aborted,
    )
    while (!stopping.signal.aborted && !hurry.signal.aborted) {
      const until = await act(worker)
      await latch.wait(until)
    }
    if (hurry.signal.aborted)
      await retry(
        context,
        () => clear(worker),
        () => stopping.signal.aborted,
      )
  }
  const finished = run()
  return {
    update(newer) {
      state.pod = newer
      latch.set()
    },
    forget() {
      hurry.abort()
      latch.set()
    },
    async endPod() {
      const graceMs = (state.pod.spec.terminationGracePeriodSeconds ?? 30) * 1000
      await end(worker, [...state.handles.keys()], graceMs)
      const seen = observe(worker)
      await report(worker, findVerdict(seen)).catch((error: unknown) => {
        context.logger.warn(
          { error, pod: state.pod.metadata.name },
          'the end of a pod will be reported by the next node',
        )
      })
    },
    async stop() {
      stopping.abort()
      latch.set()
      await finished
    },
    finished,
  }
}

interface Worker {
  readonly context: NodeContext
  readonly state: State
  readonly wake: () => void
  readonly hurry: AbortSignal
  readonly stopping: AbortSignal
}

async function retry(context: NodeContext, work: () => Promise<void>, isStopped: () => boolean): Promise<void> {
  const latch = createLatch(context.clock)
  while (!isStopped()) {
    try {
      await work()
      return
    } catch (error) {
      context.logger.warn({ error }, 'work on a pod failed, trying again')
      await latch.wait(new Date(context.clock.now().getTime() + RETRY_MS))
    }
  }
}

/** One look and what follows from it; says when to look again if nothing changes. */
async function act(worker: Worker): Promise<Date | undefined> {
  const { context, state } = worker
  try {
    return await perform(worker, observe(worker))
  } catch (error) {
    // The pod changed or went meanwhile; the informer will tell.
    if (!isConflict(error) && !isNotFound(error)) {
      context.logger.warn({ error, pod: state.pod.metadata.name }, 'work on a pod failed, trying again')
    }
    return new Date(context.clock.now().getTime() + RETRY_MS)
  }
}

function observe({ context, state }: Worker): ObservedPod {
  return { now: context.clock.now(), pod: state.pod, startedAt: state.startedAt, containers: state.containers }
}

async function perform(worker: Worker, seen: ObservedPod): Promise<Date | undefined> {
  const step = decidePod(seen)
  switch (step.kind) {
    case 'start':
      await start(worker, step.container, step.restart)
      worker.wake()
      return undefined
    case 'stop':
      // A node that stops does not wait for the grace: the next one sends the rest of it.
      await Promise.race([end(worker, step.containers, step.graceMs), aborted(worker.stopping)])
      worker.wake()
      return undefined
    case 'finish':
      await report(worker, step.verdict)
      // Now, not when the Pod is forgotten: an ended pod needs no Secret, and may be kept for days.
      await removeVolumes(worker.context.dir, uidOf(worker))
      return undefined
    case 'remove':
      await report(worker, step.verdict)
      await remove(worker)
      return undefined
    case 'wait':
      await report(worker, findVerdict(seen))
      return step.until
    default:
      return step satisfies never
  }
}

async function end({ state, hurry }: Worker, containers: readonly string[], graceMs: number): Promise<void> {
  await Promise.all(
    containers.map(async (name) => {
      const handle = state.handles.get(name)
      await handle?.container.end(graceMs, hurry)
      await handle?.noted
    }),
  )
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function uidOf({ state }: Worker): string {
  return state.pod.metadata.uid ?? ''
}

async function start(worker: Worker, container: Container, isRestart: boolean): Promise<void> {
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
async function adoptAll(worker: Worker): Promise<void> {
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

async function report(worker: Worker, verdict: Verdict | undefined): Promise<void> {
  const { context, state } = worker
  const status = toPodStatus(observe(worker), verdict)
  const text = JSON.stringify(status)
  if (text === state.written) return
  const { namespace, name, uid } = state.pod.metadata
  // The uid is a precondition: a new pod of the same name is not ours to report on.
  await context.client.mergePatch(PODS, { namespace, name }, { metadata: { uid }, status }, { subresource: 'status' })
  state.written = text
}

/** The last step of a deletion: the API may forget the pod, as soon as its finalizers allow. */
async function remove({ context, state }: Worker): Promise<void> {
  const { namespace, name, uid } = state.pod.metadata
  if (uid === undefined) return
  await context.client.delete(PODS, { namespace, name }, { gracePeriodSeconds: 0, preconditions: { uid } })
}

async function clear(worker: Worker): Promise<void> {
  const { context, state } = worker
  await end(worker, [...state.handles.keys()], 0)
  await removeVolumes(context.dir, uidOf(worker))
  await removeTree(podDir(context.dir, uidOf(worker)))
}
