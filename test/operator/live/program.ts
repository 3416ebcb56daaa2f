/**
 * The whole program with kubectl, its executions as processes of this machine: on its embedded control plane, or on the
 * real kube-apiserver of KUBECONFIG where SLIPWAY_TEST_CONTROL_PLANE says so.
 */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICE_ACCOUNTS } from '../../../kube/resources.ts'
import { IS_CLUSTER, startOnCluster } from '../../helpers/control-plane.ts'
import { type Kubectl, openKubectl } from '../../helpers/kubectl.ts'
import { MACHINE_ON_CLUSTER } from '../../helpers/machine-on-cluster.ts'
import { type StartedSlipway, startSlipway } from '../../helpers/slipway.ts'
import { until } from '../../helpers/until.ts'

export interface LiveProgram {
  readonly program: StartedSlipway
  readonly kubectl: Kubectl
  readonly namespace: string
  /** For what a test makes beside the data folder, such as manifests and repositories. */
  readonly folder: string
  readonly dataDir: string
  /** Stops the server; what runs is ended, and the namespace goes. */
  end(): Promise<void>
}

export async function startLiveProgram(isCluster = IS_CLUSTER): Promise<LiveProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-program-'))
  // Sandboxes look into the repositories that tests make here.
  await chmod(folder, 0o755)
  const dataDir = join(folder, 'data')
  const flags = ['--listen', '127.0.0.1:0', '--data-dir', dataDir]
  const cluster = isCluster ? await openCluster(folder) : undefined
  const program =
    cluster === undefined
      ? await startSlipway(['serve', ...flags])
      : await startSlipway([...flags, ...cluster.flags], {}, MACHINE_ON_CLUSTER)
  const kubeconfig = cluster?.kubeconfig ?? join(dataDir, 'kubeconfig')
  const namespace = cluster?.namespace ?? 'default'
  const kubectl = openKubectl(kubeconfig, namespace)
  return {
    program,
    kubectl,
    namespace,
    folder,
    dataDir,
    async end() {
      // Ends what still runs, and waits for it: nothing is left on this machine.
      await kubectl('delete', 'tasks.slipway.dev', '--all', '--timeout=60s')
      await kubectl('wait', '--for=delete', 'executions.slipway.dev', '--all', '--timeout=75s')
      await program.stop()
      await cluster?.end()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function openCluster(folder: string) {
  const { client, kubeconfig: content, makeNamespace, stop } = await startOnCluster()
  const namespace = await makeNamespace()
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, content, { mode: 0o600 })
  // Without it the API server refuses pods.
  const account = { namespace, name: 'default' }
  await until('the service account exists', async () => (await client.find(SERVICE_ACCOUNTS, account)) !== undefined)
  const flags = ['--kubeconfig', kubeconfig, '--namespace', namespace]
  return { namespace, kubeconfig, flags, end: stop }
}
