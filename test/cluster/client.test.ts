import { describeClient } from '../conformance/client.ts'
import { startOnCluster } from '../helpers/control-plane.ts'

describe('a client of a real kube-apiserver', () => {
  describeClient(async () => {
    const controlPlane = await startOnCluster()
    return { controlPlane, client: controlPlane.client }
  })
})
