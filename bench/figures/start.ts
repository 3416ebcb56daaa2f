import type { Figure } from '../figure.ts'
import { type Effort, alternate, withFolder } from '../measure.ts'
import { benchProgram, SLIPWAY, startProgram } from '../program.ts'

/** How long until an empty installation serves. */
export async function measure({ repeats }: Effort): Promise<Figure[]> {
  const { ours, floor } = await alternate(
    repeats,
    () => withFolder((folder) => startTime([SLIPWAY, 'serve', '--listen', '127.0.0.1:0', '--data-dir', folder])),
    () => startTime([benchProgram('floor-http')]),
  )
  return [
    {
      name: 'server start to ready, empty store',
      unit: 'ms',
      ours,
      floor: { what: 'node starting and listening', value: floor },
      aim: { atMost: 7.5, of: 'ratio' },
    },
  ]
}

async function startTime(args: readonly string[]): Promise<number> {
  const program = await startProgram(args)
  await program.stop()
  return program.startMs
}
