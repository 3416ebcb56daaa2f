import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { EXECUTIONS, TASKS } from '../../kube/resources.ts'
import { delay, systemClock } from '../../lib/clock.ts'
import type { Figure } from '../figure.ts'
import type { Effort } from '../measure.ts'
import { type OperatorRig, forEach, withCluster, withOperatorRig } from '../operator-rig.ts'

const run = promisify(execFile)

/** Tasks that go through, in how many parts, and how many of them stay in the cluster. */
const SIZES = {
  full: { tasks: 20_000, parts: 5, window: 500 },
  quick: { tasks: 80, parts: 2, window: 10 },
}
const POLL_MS = 500
const DEADLINE_MS = 1_200_000
/** For an API server with `--etcd-compaction-interval=30s`: by default it has etcd compacted every five minutes. */
const SETTLE_MS = { full: 60_000, quick: 0 }

/**
 * What stays in etcd of tasks that went into the archive. They are made as ended; what became of them meanwhile was
 * written over, and etcd forgets that at its next compaction.
 */
export function measure({ size }: Effort): Promise<Figure[]> {
  return withCluster('etcd', (client) => withOperatorRig(client, (rig) => measureSize(rig, size)))
}

async function measureSize(rig: OperatorRig, size: Effort['size']): Promise<Figure[]> {
  const { tasks, parts, window } = SIZES[size]
  const each = tasks / parts
  await rig.createAgents(['one'], 1)
  const sizes: number[] = []
  for (let part = 0; part < parts; part++) {
    const names = Array.from({ length: each }, (_, n) => `past-${part * each + n}`)
    await forEach(names, (name) => rig.createFinished(name, new Date()))
    // Behind them: what it has seen as PENDING cannot become COMPLETED.
    const operator = await rig.startOperator('--retention', JSON.stringify({ closedCount: window }))
    await untilArchived(rig, window)
    await operator.stop()
    await delay(systemClock, SETTLE_MS[size])
    sizes.push(await readStorageMB())
    process.stderr.write(`etcd: ${(part + 1) * each} tasks went through, its file has ${sizes.at(-1)} MB\n`)
  }
  const [first = 0] = sizes
  return [
    {
      name: `file of etcd after ${tasks.toLocaleString('en')} tasks, of which ${window} stay`,
      unit: 'MB',
      ours: sizes.at(-1) ?? 0,
      floor: { what: `after the first ${each.toLocaleString('en')}`, value: first },
      // So few tasks still grow.
      ...(size === 'full' && { aim: { atMost: 1.1, of: 'ratio' } as const }),
    },
  ]
}

async function untilArchived({ client, namespace }: OperatorRig, window: number): Promise<void> {
  for (const end = Date.now() + DEADLINE_MS; Date.now() < end; await delay(systemClock, POLL_MS)) {
    const found = await Promise.all([client.list(TASKS, { namespace }), client.list(EXECUTIONS, { namespace })])
    if (found.every(({ items }) => items.length <= window)) return
  }
  throw new Error(`more than ${window} tasks are still in the cluster`)
}

/** The size of the whole file, including pages that a compaction has freed: those are used again (etcd, Maintenance). */
async function readStorageMB(): Promise<number> {
  const { stdout } = await run('kubectl', ['get', '--raw', '/metrics'], { maxBuffer: 64 * 1024 * 1024 })
  const bytes = /^apiserver_storage_size_bytes\S* (\S+)$/m.exec(stdout)?.[1]
  if (bytes === undefined) throw new Error('the API server does not say how large its storage is')
  return Number(bytes) / 1e6
}
