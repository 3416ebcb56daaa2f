/** The operator on a control plane, with a data volume whose answers the test delays. Pods are ended by hand. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Task, TaskSpec } from '../../../core/crd/types.ts'
import { executionPath } from '../../../core/execution/layout.ts'
import type { ExecutionResult } from '../../../core/execution/result.ts'
import { executionName, jobName, LABELS } from '../../../core/names.ts'
import { AGENTS, JOBS, PODS, TASKS } from '../../../kube/resources.ts'
import { systemClock } from '../../../lib/clock.ts'
import { makeLogger } from '../../../lib/log.ts'
import { type VolumeGate, type VolumePiece, createVolumeGate } from '../../../operator/volume-work.ts'
import { aTask } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { type LiveRig, openLiveRig } from './rig.ts'

/** What a piece of work waits for before it is done; undefined: nothing. */
export type Delay = (piece: VolumePiece) => Promise<unknown> | undefined

export interface VolumeRig extends Pick<LiveRig, 'client' | 'namespace' | 'volumeRoot' | 'startOperator'> {
  /** Applies to what begins from now on. */
  delay(by: Delay): void
  /** How many pieces have lasted long. */
  stalled(): number
  createAgent(name: string, maxConcurrent: number): Promise<void>
  createTask(name: string, agent: string, spec?: Partial<TaskSpec>): Promise<void>
  task(name: string): Promise<Task>
  state(name: string): Promise<string | undefined>
  /** Waits until the first Job of a task has its pod. */
  runs(name: string): Promise<void>
  /** Creates a task. @returns milliseconds until its Job is there */
  dispatchMs(name: string, agent: string): Promise<number>
  /** Ends the first run of a task well, as runner and kubelet would. */
  endPod(name: string, result?: Partial<ExecutionResult>): Promise<void>
  end(): Promise<void>
}

/** @param clock of the volume's gate alone */
export async function openVolumeRig(clock = systemClock): Promise<VolumeRig> {
  const live = await openLiveRig()
  const { client, namespace, volumeRoot } = live
  let delay: Delay = () => undefined
  const gate = createVolumeGate({ clock, logger: makeLogger('silent'), threads: 64 })
  const volume: VolumeGate = {
    ...gate,
    run: (piece, work, how) =>
      gate.run(
        piece,
        async (lost) => {
          await delay(piece)
          return work(lost)
        },
        how,
      ),
  }
  const find = (name: string) => client.find(JOBS, { namespace, name: jobName(executionName(name, 1), 1) })
  const findPod = async (name: string) => {
    const labelSelector = `${LABELS.execution}=${executionName(name, 1)}`
    return (await client.list(PODS, { namespace, labelSelector })).items[0]
  }
  const rig: VolumeRig = {
    client,
    namespace,
    volumeRoot,
    startOperator: (options) => live.startOperator({ volume, ...options }),
    delay: (by) => void (delay = by),
    stalled: gate.stalled,
    async createAgent(name, maxConcurrent) {
      const spec = { adapter: 'script', maxConcurrent, classifier: { enabled: false } } as const
      await client.create(AGENTS, {
        apiVersion: 'slipway.dev/v1alpha1',
        kind: 'Agent',
        metadata: { name, namespace },
        spec,
      })
    },
    async createTask(name, agent, spec) {
      const { metadata: _, ...task } = aTask({
        spec: { runPolicy: 'Auto', agent: { type: agent, instructions: 'true' }, ...spec },
      })
      await client.create(TASKS, { ...task, metadata: { name, namespace } })
    },
    task: (name) => client.get(TASKS, { namespace, name }),
    state: async (name) => (await rig.task(name)).status?.state,
    runs: (name) => until(`${name} has a pod`, async () => (await findPod(name)) !== undefined),
    async dispatchMs(name, agent) {
      const startedAt = performance.now()
      await rig.createTask(name, agent)
      await until(`${name} has a Job`, async () => (await find(name)) !== undefined)
      return performance.now() - startedAt
    },
    async endPod(name, more) {
      await rig.runs(name)
      const execution = executionName(name, 1)
      const at = new Date().toISOString()
      const ended = { outcome: 'succeeded', step: 'deliver', pushed: true, startedAt: at, finishedAt: at }
      const result = { schemaVersion: 1, execution, jobNumber: 1, ...ended, ...more }
      await writeFile(join(volumeRoot, executionPath(execution), 'result.json'), JSON.stringify(result))
      const pod = await findPod(name)
      if (pod === undefined) throw new Error(`${name} has no pod`)
      await client.replaceStatus(PODS, { ...pod, status: { ...pod.status, phase: 'Succeeded' } })
    },
    end: live.end,
  }
  return rig
}

/** Names of a group of tasks. */
export function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}-${i + 1}`)
}
