import { type TestCluster, connectCluster } from '../helpers/cluster.ts'

/** The API server that KUBECONFIG names, and a namespace of its own there. */
export interface Rig extends Pick<TestCluster, 'direct' | 'flaky' | 'proxy' | 'end'> {
  readonly namespace: string
}

/** @throws Error when KUBECONFIG is not set */
export async function setUpRig(): Promise<Rig> {
  const cluster = await connectCluster()
  return { ...cluster, namespace: await cluster.makeNamespace() }
}
