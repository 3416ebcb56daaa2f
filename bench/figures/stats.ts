import { delay, systemClock } from '../../lib/clock.ts'
import { withExecutions } from '../executions-api.ts'
import { type Figure, median } from '../figure.ts'
import { measureTimes } from '../load.ts'
import { type Effort, alternate, withFloor, withFolder } from '../measure.ts'
import { type Program, SLIPWAY, startProgram } from '../program.ts'

const EXECUTIONS = { full: 100_000, quick: 5000 }
const REQUESTS_PER_TURN = 50
/** Long enough for the collector to clear away what filling the cache left. */
const IDLE_MS = { full: 3000, quick: 500 }
const READY_DEADLINE_MS = 120_000

/** Statistics over many executions; they are kept as executions come, so their number must not show. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  const count = EXECUTIONS[size]
  return withFolder((folder) =>
    withExecutions(count, folder, async (kubeconfig) => {
      const api = await startApiServer(kubeconfig)
      try {
        await untilReady(api.url)
        await delay(systemClock, IDLE_MS[size])
        const url = `${api.url}/api/stats?window=30d`
        const timeOf = async (of: string): Promise<number> => median(await measureTimes(of, REQUESTS_PER_TURN))
        const { ours, floor } = await withFloor(url, folder, (floorUrl) =>
          alternate(
            repeats,
            () => timeOf(url),
            () => timeOf(floorUrl),
          ),
        )
        return [
          {
            name: `GET /api/stats?window=30d with ${count.toLocaleString('en')} executions`,
            unit: 'ms',
            ours,
            floor: { what: 'Koa, same bytes', value: floor },
            aim: { atMost: 5 },
          },
        ]
      } finally {
        await api.stop()
      }
    }),
  )
}

function startApiServer(kubeconfig: string): Promise<Program> {
  return startProgram([SLIPWAY, 'api-server', '--kubeconfig', kubeconfig, '--listen', '127.0.0.1:0'])
}

/** Until then the server has not heard of all executions, and answers 503. */
async function untilReady(url: string): Promise<void> {
  const deadline = performance.now() + READY_DEADLINE_MS
  while ((await fetch(`${url}/readyz`)).status !== 200) {
    if (performance.now() > deadline) throw new Error('the API server does not become ready')
    await delay(systemClock, 500)
  }
}
