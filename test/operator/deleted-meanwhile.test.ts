import assert from 'node:assert/strict'
import { isConflict } from '../../kube/types.ts'
import { applyStep } from '../../operator/apply.ts'
import { anExecution, aTask } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

/** As when an approval is refused: its story goes, and the delivery of its branch with it. */
describe('a status that is written to what was deleted meanwhile', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })
  afterEach(() => world.close())

  for (const action of [
    { kind: 'writeExecution', execution: anExecution(), status: { state: 'COMPLETED' } },
    { kind: 'writeTask', task: aTask(), status: { state: 'READY' } },
  ] as const) {
    it(`counts as decided from something outdated, not as a failure (${action.kind})`, async () => {
      await assert.rejects(applyStep(world.context, [action]), isConflict)
    })
  }
})
