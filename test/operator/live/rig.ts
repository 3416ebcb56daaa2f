/**
 * The operator on a control plane: the embedded one, or the real kube-apiserver of KUBECONFIG where
 * SLIPWAY_TEST_CONTROL_PLANE says so. No node: pods are made and stay Pending until the test ends them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXECUTIONS } from '../../../kube/resources.ts'
import type { KubeClient } from '../../../kube/types.ts'
import { systemClock } from '../../../lib/clock.ts'
import { makeLogger } from '../../../lib/log.ts'
import { type OperatorOptions, type RunningOperator, startOperator } from '../../../operator/main.ts'
import { startTestControlPlane } from '../../helpers/control-plane.ts'

export interface LiveRig {
  readonly client: KubeClient
  readonly namespace: string
  readonly kubeconfig: string
  readonly volumeRoot: string
  /** Starts an operator, which {@link stopOperator} or the end of the rig stops. */
  startOperator(options?: Partial<OperatorOptions>): Promise<RunningOperator>
  stopOperator(): Promise<void>
  end(): Promise<void>
}

/** Of an operator that works at once; there is nobody else. */
export function operatorOptions({
  client,
  namespace,
  volumeRoot,
}: Pick<OperatorOptions, 'client' | 'volumeRoot'> & { readonly namespace: string }): OperatorOptions {
  return {
    client,
    namespaces: [namespace],
    identity: 'test',
    volumeRoot,
    volumeClaim: 'data',
    credentialsRoot: '/credentials',
    runnerCommand: ['runner'],
    image: 'slipway',
    installation: { isolation: 'none', allowUnsandboxed: false, embedded: false },
    clock: systemClock,
    logger: makeLogger('silent'),
    random: Math.random,
    leaderElection: false,
  }
}

export async function openLiveRig(): Promise<LiveRig> {
  const controlPlane = await startTestControlPlane()
  const namespace = await controlPlane.makeNamespace()
  const volumeRoot = await mkdtemp(join(tmpdir(), 'slipway-live-'))
  let running: RunningOperator | undefined
  const rig: LiveRig = {
    client: controlPlane.client,
    namespace,
    kubeconfig: controlPlane.kubeconfig,
    volumeRoot,
    async startOperator(options = {}) {
      running = await startOperator({ ...operatorOptions(rig), ...options })
      await running.ready
      return running
    },
    async stopOperator() {
      await running?.stop()
      running = undefined
    },
    async end() {
      await rig.stopOperator()
      // Of executions that still ran: without an operator nobody would let the namespace go.
      for (const { metadata } of (await controlPlane.client.list(EXECUTIONS, { namespace })).items) {
        if ((metadata.finalizers ?? []).length === 0) continue
        await controlPlane.client.mergePatch(
          EXECUTIONS,
          { namespace, name: metadata.name },
          { metadata: { finalizers: null } },
        )
      }
      await controlPlane.stop()
      // Again: what an operator had begun to remove when it was stopped may still go on.
      await rm(volumeRoot, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return rig
}
