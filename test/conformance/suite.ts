import type { KubeHttp } from '../helpers/kube-http.ts'
import { describeDeletion } from './deletion.ts'
import { describeDiscovery } from './discovery.ts'
import { describeJobs } from './jobs.ts'
import { describeLists } from './lists.ts'
import { describeObjects } from './objects.ts'
import { describePatches } from './patches.ts'
import { type Rig, dismantleRig, makeRig } from './rig.ts'
import { describeValidation } from './validation.ts'
import { describeWatches } from './watches.ts'

const PARTS: Readonly<Record<string, (rig: () => Rig) => void>> = {
  objects: describeObjects,
  validation: describeValidation,
  patches: describePatches,
  deletion: describeDeletion,
  lists: describeLists,
  watches: describeWatches,
  Jobs: describeJobs,
  discovery: describeDiscovery,
}

/**
 * What a Kubernetes API must do for us: one suite for the embedded control plane and for a real kube-apiserver,
 * so that neither the operator nor a user can tell them apart in what they rely on.
 */
export function describeConformance(connect: () => Promise<KubeHttp>): void {
  let rig: Rig
  before(async () => {
    rig = await makeRig(await connect())
  })
  after(() => dismantleRig(rig))
  for (const [title, describePart] of Object.entries(PARTS)) describe(title, () => describePart(() => rig))
}
