import assert from 'node:assert/strict'
import { createCaches } from '../../../api-server/cache/caches.ts'
import { createOutageLog } from '../../../kube/outage.ts'
import { JOBS } from '../../../kube/resources.ts'
import { type KubeClient, type KubeObject, type ListOptions, type Resource, KubeError } from '../../../kube/types.ts'
import { systemClock } from '../../../lib/clock.ts'
import { makeLogger } from '../../../lib/log.ts'
import { NAMESPACE } from '../../helpers/build.ts'
import { memoryKube, watchNothing } from '../../helpers/memory-kube.ts'
import { until } from '../../helpers/until.ts'

const refusal = 'jobs.batch is forbidden: the API server may not list them'

/** An empty control plane that refuses the Jobs to whoever may watch everything else. */
function withoutJobs(): KubeClient {
  const kube = memoryKube()
  return {
    ...kube,
    async list<T extends KubeObject>(resource: Resource<T>, query?: ListOptions) {
      if (resource.plural === JOBS.plural) throw new KubeError(403, 'Forbidden', refusal)
      return kube.list(resource, query)
    },
    watch: watchNothing,
  }
}

describe('caches that may not watch everything', () => {
  it('say what the control plane refuses, for they are never filled', async () => {
    const [clock, logger] = [systemClock, makeLogger('silent')]
    const outages = createOutageLog(clock, logger)
    const caches = createCaches({
      client: withoutJobs(),
      namespace: NAMESPACE,
      clock,
      logger,
      random: () => 0,
      outages,
    })
    assert.equal(caches.fillingReason(), 'the caches are still being filled')
    const stop = new AbortController()
    const running = caches.run(stop.signal)
    await until('it is refused', () => caches.fillingReason() === `the control plane refuses this server: ${refusal}`)
    assert.equal(caches.hasSynced(), false)
    stop.abort()
    await running
  })
})
