import { join } from 'node:path'
import { makeRemote } from '../../test/helpers/repository.ts'
import { RUNNER } from '../../test/helpers/slipway.ts'
import { makeExecution } from '../../test/runner/execution.ts'
import type { Figure } from '../figure.ts'
import { type Effort, alternate, withFolder } from '../measure.ts'
import { benchProgram, processorMsOfRun, SLIPWAY, startProgram } from '../program.ts'

/** How long until an empty installation serves, and what the start of a command costs, and of a step of a task. */
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
    await runnerStart(repeats),
    await commandStart(repeats, '--help', ['--help']),
    await commandStart(repeats, 'tasks, no server', ['tasks', '--server', NOBODY]),
    await commandStart(repeats, 'show, no server', ['show', 'add-login', '--server', NOBODY]),
  ]
}

/** Nobody listens there, and fetch tries all the same. */
const NOBODY = 'http://127.0.0.1:2'

/** Of a step that finds that it has done its work already: each task starts three and more. */
function runnerStart(repeats: number): Promise<Figure> {
  return withFolder(async (folder) => {
    const execution = makeExecution(folder, makeRemote(folder, { 'a.txt': 'a\n' }), 'true')
    await execution.all()
    const variables = { SLIPWAY_RUN: JSON.stringify(execution.spec), TERMINATION_MESSAGE_PATH: join(folder, 'end') }
    const start = () => processorMsOfRun([RUNNER, 'deliver'], variables)
    return besideNode(repeats, 'a step that is done already', 30, start)
  })
}

function commandStart(repeats: number, name: string, words: readonly string[]): Promise<Figure> {
  return besideNode(repeats, `slipway ${name}`, 80, () => processorMsOfRun([SLIPWAY, ...words]))
}

async function besideNode(
  repeats: number,
  what: string,
  atMost: number,
  start: () => Promise<number>,
): Promise<Figure> {
  const { ours, floor } = await alternate(repeats, start, () => processorMsOfRun(['-e', '0']))
  return {
    name: `processor time of ${what}`,
    unit: 'ms',
    ours,
    floor: { what: 'node -e 0', value: floor },
    aim: { atMost, of: 'difference' },
  }
}

async function startTime(args: readonly string[]): Promise<number> {
  const program = await startProgram(args)
  await program.stop()
  return program.startMs
}
