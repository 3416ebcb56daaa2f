/** A control plane with kubectl at hand, in a namespace of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestControlPlane, startTestControlPlane } from '../../helpers/control-plane.ts'
import { type Kubectl, needKubectl, openKubectl } from '../../helpers/kubectl.ts'

export interface KubectlRig extends Pick<TestControlPlane, 'client'> {
  readonly namespace: string
  readonly kubectl: Kubectl
  readonly kubeconfig: string
  /** For manifests; goes with the rig. */
  readonly folder: string
  /** Writes a manifest and gives its path. */
  write(name: string, text: string): Promise<string>
  end(): Promise<void>
}

/** Leaves out what `context` belongs to where this machine has no kubectl. */
export async function openKubectlRig(context: Mocha.Context): Promise<KubectlRig> {
  await needKubectl(context)
  const plane = await startTestControlPlane()
  const namespace = await plane.makeNamespace()
  const folder = await mkdtemp(join(tmpdir(), 'slipway-kubectl-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, plane.kubeconfig, { mode: 0o600 })
  return {
    client: plane.client,
    namespace,
    kubectl: openKubectl(kubeconfig, namespace),
    kubeconfig,
    folder,
    async write(name, text) {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    },
    async end() {
      await plane.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
