import { startEmbedded } from '../../helpers/control-plane.ts'
import { describeRecordedObjects } from './recorded-objects.ts'

describe('the objects of a cluster of e772f1de', () => describeRecordedObjects('e772f1de', startEmbedded))
