/** From a task that is created to its Job, while the data volume answers others slowly, or not at all. */
import type { Figure } from '../figure.ts'
import { type Effort, alternate } from '../measure.ts'
import { delay, systemClock } from '../../lib/clock.ts'
import { type VolumeRig, namesOf, openVolumeRig } from '../../test/operator/live/volume-rig.ts'
import { until } from '../../test/helpers/until.ts'

/** More than a controller has workers. */
const TASKS = 20
const SLOW_MS = 1000
/** With slots for all that is started here: none of it ends. */
const FAST = namesOf('fast', 3)

/** Beside the same while these tasks end as fast as they can: what their end costs the machine is in both. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  const rig = await openVolumeRig()
  const floorOf = (value: number) => ({ what: 'they answer at once', value })
  const times = size === 'quick' ? 1 : repeats
  try {
    await rig.startOperator()
    await rig.createAgent('slow', TASKS)
    for (const agent of FAST) await rig.createAgent(agent, 50)
    await dispatch(rig)
    const slow = await alternate(
      times,
      () => dispatchBeside(rig, () => delay(systemClock, SLOW_MS)),
      () => dispatchBeside(rig, () => Promise.resolve()),
    )
    const hung = await alternate(
      times,
      () => dispatchBesideHung(rig),
      () => dispatchBeside(rig, () => Promise.resolve()),
    )
    const name = `task created → Job, while the files of ${TASKS} tasks that end`
    const aim = { atMost: 50, of: 'difference' } as const
    return [
      {
        name: `${name} take 1 s each`,
        unit: 'ms',
        ours: slow.ours,
        floor: floorOf(slow.floor),
        aim,
      },
      {
        name: `${name} do not answer`,
        unit: 'ms',
        ours: hung.ours,
        floor: floorOf(hung.floor),
        aim,
      },
    ]
  } finally {
    await rig.end()
  }
}

let dispatched = 0

function dispatch(rig: VolumeRig): Promise<number> {
  dispatched += 1
  return rig.dispatchMs(`next-${dispatched}`, `fast-${(dispatched % FAST.length) + 1}`)
}

async function dispatchBesideHung(rig: VolumeRig): Promise<number> {
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  return dispatchBeside(rig, () => answered, answer)
}

async function dispatchBeside(rig: VolumeRig, by: () => Promise<void>, answer?: () => void): Promise<number> {
  const others = await beginEnding(rig, by)
  const ms = await dispatch(rig)
  answer?.()
  await others.ended
  return ms
}

let groups = 0

/** Resolves when the reads of all have begun. */
async function beginEnding(rig: VolumeRig, by: () => Promise<void>): Promise<{ readonly ended: Promise<void> }> {
  const prefix = `slow-${(groups += 1)}`
  const names = namesOf(prefix, TASKS)
  for (const name of names) await rig.createTask(name, 'slow')
  for (const name of names) await rig.runs(name)
  const begun = new Set<string>()
  rig.delay(({ kind, path }) => {
    if (kind !== 'read' || !path.startsWith(`executions/${prefix}-`)) return undefined
    begun.add(path)
    return by()
  })
  for (const name of names) await rig.endPod(name)
  await until('something is read', () => begun.size > 0)
  const areReady = async (): Promise<boolean> => {
    const states = await Promise.all(names.map((name) => rig.state(name)))
    return states.every((state) => state === 'READY')
  }
  return { ended: until('they have ended', areReady, 120_000) }
}
