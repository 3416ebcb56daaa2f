/**
 * One pod on this node: looks, asks {@link decidePod}, acts, reports; again whenever something changed. Its memory
 * is the pod's folder and the API, so that a new worker goes on where one that was killed stopped.
 */
import type { Pod } from '../kube/builtin.ts'
import { PODS } from '../kube/resources.ts'
import { isConflict, isNotFound } from '../kube/types.ts'
import { createAutoResetEvent, whenAborted } from '../lib/async.ts'
import type { NodeContext } from './context.ts'
import { removePodDir, removeVolumes } from './mounts.ts'
import { podDir } from './layout.ts'
import { type ObservedPod, type PodEnd, decidePod, deletionAskedAt, findPodEnd } from './pod.ts'
import { toPodStatus } from './status.ts'
import { type State, type Worker, adoptAll, end, start } from './container-set.ts'
import { messageOf } from '../lib/error-message.ts'
import { retry } from './retry.ts'
import { withReportedEnds } from './reported-status.ts'

export interface PodWorker {
  /** The pod as the API has it now. */
  update(pod: Pod): void
  /** The API has forgotten the pod: ends what runs without grace, and removes its files. */
  forget(): void
  /** Nothing of the pod runs any more, or will. */
  isFinished(): boolean
  /** Ends what runs, with the pod's grace, and reports it. After `stop`, so that nothing is started again. */
  endPod(): Promise<void>
  /** Stops looking; what runs goes on. */
  stop(): Promise<void>
  readonly finished: Promise<void>
}

const RETRY_MS = 2_000

export function startWorker(context: NodeContext, pod: Pod): PodWorker {
  const event = createAutoResetEvent(context.clock)
  const hurry = new AbortController()
  const state: State = {
    pod,
    startedAt: pod.status?.startTime === undefined ? context.clock.now() : new Date(pod.status.startTime),
    containers: new Map(),
    handles: new Map(),
    written: '',
    complaint: '',
  }
  const stopping = new AbortController()
  const worker = { context, state, wake: event.set, hurry: hurry.signal, stopping: stopping.signal }

  const onFailure = (error: unknown): void => complain(worker, error)
  const patiently = { clock: context.clock, everyMs: RETRY_MS, onFailure, signal: stopping.signal }

  const run = async (): Promise<void> => {
    await retry(() => adoptAll(worker), patiently)
    while (!stopping.signal.aborted && !hurry.signal.aborted) {
      const until = await act(worker)
      await event.wait(until && until.getTime() - context.clock.now().getTime())
    }
    if (hurry.signal.aborted) await retry(() => clear(worker), patiently)
  }
  const finished = run()
  return {
    update(newer) {
      state.pod = newer
      event.set()
    },
    forget() {
      hurry.abort()
      event.set()
    },
    isFinished: () => findPodEnd(observe(worker)) !== undefined,
    async endPod() {
      const graceMs = (state.pod.spec.terminationGracePeriodSeconds ?? 30) * 1000
      try {
        await end(worker, [...state.handles.keys()], graceMs)
        await report(worker, findPodEnd(observe(worker)))
      } catch (error) {
        const { name } = state.pod.metadata
        context.logger.warn({ error, pod: name }, 'the end of a pod will be reported by the next node')
      }
    },
    async stop() {
      stopping.abort()
      event.set()
      await finished
    },
    finished,
  }
}

/** One look and what follows from it; says when to look again if nothing changes. */
async function act(worker: Worker): Promise<Date | undefined> {
  const { context, state } = worker
  try {
    const until = await perform(worker, observe(worker))
    state.complaint = ''
    return until
  } catch (error) {
    // The pod changed or went meanwhile; the informer will tell.
    if (!isConflict(error) && !isNotFound(error)) complain(worker, error)
    return new Date(context.clock.now().getTime() + RETRY_MS)
  }
}

/** What goes on failing in the same way is told once. */
function complain({ context, state }: Worker, error: unknown): void {
  const level = messageOf(error) === state.complaint ? 'debug' : 'warn'
  context.logger[level]({ error, pod: state.pod.metadata.name }, 'work on a pod failed, trying again')
  state.complaint = messageOf(error)
}

function observe({ context, state }: Worker): ObservedPod {
  const { pod, startedAt } = state
  const { elapsed, clock } = context
  const containers = withReportedEnds(pod, state.containers)
  const deletedAt = deletionAskedAt(pod)
  const deletedForMs = deletedAt && elapsed.since(deletedAt)
  return { now: clock.now(), pod, startedAt, activeMs: elapsed.since(startedAt), deletedForMs, containers }
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
      await Promise.race([end(worker, step.containers, step.graceMs), whenAborted(worker.stopping)])
      worker.wake()
      return undefined
    case 'finish':
      await report(worker, step.end)
      // Now, not when the Pod is forgotten: an ended pod needs no Secret, and may be kept for days.
      await removeVolumes(worker.context.dir, uidOf(worker))
      return undefined
    case 'remove':
      await report(worker, step.end)
      await remove(worker)
      return undefined
    case 'wait':
      await report(worker, findPodEnd(seen))
      return step.until
    default:
      return step satisfies never
  }
}

function uidOf({ state }: Worker): string {
  return state.pod.metadata.uid ?? ''
}

async function report(worker: Worker, end: PodEnd | undefined): Promise<void> {
  const { context, state } = worker
  const status = toPodStatus(observe(worker), end)
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
  await removePodDir(context.clock, podDir(context.dir, uidOf(worker)))
}
