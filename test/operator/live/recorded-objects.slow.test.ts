import { IS_CLUSTER, startEmbedded } from '../../helpers/control-plane.ts'
import { describeRecordedObjects } from './recorded-objects.ts'

// On a kube-apiserver test/cluster/crds.test.ts runs them.
const describeHere = IS_CLUSTER ? describe.skip : describe

describeHere('the objects of a cluster of e772f1de', () => describeRecordedObjects('e772f1de', startEmbedded))
