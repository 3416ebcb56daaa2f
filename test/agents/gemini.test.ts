import { itBegins } from './beginnings.ts'
import { itIsTold } from './told.ts'
import { itLogsIn, itWaitsForProviders } from './logins.ts'
import { GEMINI } from './programs.ts'
import { itMeetsItsLimits } from './gemini-limits.ts'
import { type AgentRig, startAgentRig } from './rig.ts'

describe('the real gemini', function () {
  let rig: AgentRig

  before(async () => (rig = await startAgentRig('gemini')))
  after(() => rig.stop())

  itBegins(GEMINI, () => rig)

  itMeetsItsLimits(GEMINI, () => rig)
  itWaitsForProviders(GEMINI, () => rig)
  itIsTold(GEMINI, () => rig)
})

describe('the real gemini with a key', function () {
  let rig: AgentRig
  before(async () => (rig = await startAgentRig('gemini')))
  after(() => rig.stop())

  itLogsIn(GEMINI, () => rig)
})
