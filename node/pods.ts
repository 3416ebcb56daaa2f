/** The pods of this node: one worker each, and an end for what the API no longer knows. */
import { delay } from '../lib/clock.ts'
import { signalProcess } from '../lib/process.ts'
import type { Pod } from '../kube/builtin.ts'
import type { NodeContext } from './context.ts'
import { removePodDir, removeVolumes } from './mounts.ts'
import { listUids, namesIn, podDir } from './layout.ts'
import { findLeftovers } from './process.ts'
import { type PodWorker, startWorker } from './worker.ts'

export interface PodSet {
  /** A pod of this node is new or has changed. */
  set(pod: Pod): void
  /** The API no longer has it. */
  forget(uid: string): void
  /** Ends and removes every pod that has files here and is not in the set. To be called once the API was listed. */
  clearStrangers(): Promise<void>
  /** How many run, or will. */
  countUnfinished(): number
  stop(endPods: boolean): Promise<void>
}

export function createPodSet(context: NodeContext): PodSet {
  const workers = new Map<string, PodWorker>()
  return {
    set(pod) {
      const uid = pod.metadata.uid
      if (uid === undefined) return
      const worker = workers.get(uid)
      if (worker === undefined) workers.set(uid, startWorker(context, pod))
      else worker.update(pod)
    },
    forget(uid) {
      const worker = workers.get(uid)
      worker?.forget()
      void worker?.finished.then(() => workers.delete(uid))
    },
    countUnfinished: () => [...workers.values()].filter((worker) => !worker.isFinished()).length,
    async clearStrangers() {
      for (const uid of await listUids(context.dir)) {
        if (workers.has(uid)) continue
        context.logger.info({ uid }, 'removing what is left of a pod that is gone')
        await clearPod(context, uid).catch((error: unknown) => {
          context.logger.error({ error, uid }, 'files of a pod that is gone stay until the next start')
        })
      }
    },
    async stop(endPods) {
      const all = [...workers.values()]
      await Promise.all(all.map((worker) => worker.stop()))
      if (endPods) await Promise.all(all.map((worker) => worker.endPod()))
    },
  }
}

/**
 * A pod's folder stands until its processes are ended: whose folder is gone has left nothing running. It may have
 * left volumes with Secrets, though: they are written before the folder is made.
 */
async function clearPod({ dir, clock }: NodeContext, uid: string): Promise<void> {
  for (const container of await namesIn(podDir(dir, uid))) {
    for (;;) {
      const left = await findLeftovers(`${uid}/${container}`)
      if (left.length === 0) break
      for (const pid of left) signalProcess(pid, 'SIGKILL')
      await delay(clock, 5)
    }
  }
  await removeVolumes(dir, uid)
  await removePodDir(clock, podDir(dir, uid))
}
