import assert from 'node:assert/strict'
import { claimAgentReady } from '../../core/agent/readiness.ts'
import { EDITS_MISSING, POLICIES_MISSING } from '../../core/decision.ts'
import type { Agent, Task } from '../../core/crd/types.ts'
import { AGENTS, TASKS } from '../../kube/resources.ts'
import { KubeError } from '../../kube/types.ts'
import { makeLogger } from '../../lib/log.ts'
import { type PolicyWatch, watchPolicies } from '../../operator/admission-policies.ts'
import { reconcileAgent } from '../../operator/agent/reconcile.ts'
import { anAgent, aTask, NAMESPACE } from '../helpers/build.ts'
import { type ManualClock, manualClock } from '../helpers/clock.ts'

const REFUSED =
  "ValidatingAdmissionPolicy 'slipway-work-decisions' with binding 'slipway-work-decisions' denied request: no"
const refuse = (message: string) => (): never => {
  throw new KubeError(422, 'Invalid', message)
}

describe('whether the admission policies are in force', () => {
  let clock: ManualClock
  let answer: () => unknown
  let asked: unknown[]
  let agents: Agent[]
  let tasks: Task[]
  let watch: PolicyWatch

  beforeEach(() => {
    clock = manualClock()
    asked = []
    agents = [anAgent()]
    tasks = []
    const mergePatch = (...of: unknown[]): Promise<never> => {
      asked.push(of)
      return new Promise((resolve) => resolve(answer() as never))
    }
    const decided = [
      { list: () => agents, resource: AGENTS },
      { list: () => tasks, resource: TASKS },
    ]
    watch = watchPolicies({
      client: { mergePatch },
      namespace: NAMESPACE,
      decided,
      clock,
      logger: makeLogger('silent'),
    })
  })
  const found = () => [watch.areInForce(), watch.missing() === POLICIES_MISSING]

  it('is not known before the first try, which stores nothing', async () => {
    assert.deepEqual(found(), [false, false])
    answer = refuse(REFUSED)
    await watch.look()
    assert.deepEqual(found(), [true, false])
    assert.deepEqual((asked[0] as unknown[])[3], { dryRun: true })
  })

  it('is denied as soon as the try is let through, and told again when they are back', async () => {
    answer = refuse(REFUSED)
    await watch.look()
    answer = () => anAgent()
    await watch.look()
    assert.deepEqual(found(), [false, true])
    answer = refuse(REFUSED)
    await watch.look()
    assert.deepEqual(found(), [true, false])
  })

  it('is told of the policy edits too, which does not make names doubtful', async () => {
    const policies = { labels: 'edits', annotations: 'decisions' }
    answer = () => {
      const [, , { metadata }] = asked.at(-1) as [unknown, unknown, { metadata: object }]
      const [name] = Object.keys(metadata)
      return refuse(REFUSED.replaceAll('decisions', policies[name as 'labels']))()
    }
    await watch.look()
    assert.deepEqual([watch.areInForce(), watch.missing()], [true, undefined])
    answer = () =>
      'labels' in ((asked.at(-1) as { metadata: object }[])[2]?.metadata ?? {}) ? anAgent() : refuse(REFUSED)()
    await watch.look()
    assert.deepEqual([watch.areInForce(), watch.missing()], [true, EDITS_MISSING])
  })

  it('is not known any more once no agent is left to try it on', async () => {
    answer = refuse(REFUSED)
    await watch.look()
    agents = []
    await watch.look()
    assert.deepEqual(found(), [false, false])
  })

  it('stays as it was when another thing refuses the try, or nobody answers', async () => {
    for (const message of [
      'spec.command: Required',
      "ValidatingAdmissionPolicy 'slipway-work-annotations' denied request",
    ]) {
      answer = refuse(message)
      await watch.look()
      assert.deepEqual(found(), [false, false])
    }
  })

  it('is tried on a task where there is no Agent', async () => {
    agents = []
    tasks = [aTask({ name: 'any' })]
    answer = refuse(REFUSED)
    await watch.look()
    assert.deepEqual(found(), [true, false])
    assert.deepEqual((asked[0] as unknown[]).slice(0, 2), [TASKS, { namespace: NAMESPACE, name: 'any' }])
  })

  it('is not asked while there is nothing to try it on', async () => {
    agents = []
    await watch.look()
    assert.equal(asked.length, 0)
  })

  it('is tried again after a minute', async () => {
    const stop = new AbortController()
    answer = refuse(REFUSED)
    await watch.look()
    const running = watch.run(stop.signal)
    answer = () => anAgent()
    await clock.advance(59_000)
    assert.equal(asked.length, 2)
    await clock.advance(1_000)
    assert.deepEqual(found(), [false, true])
    stop.abort()
    await running
  })

  it('is a condition of every agent while they are missing, beside the one that says that it works', () => {
    const installation = { isolation: 'container', allowUnsandboxed: false, embedded: false } as const
    const seen = { now: clock.now(), agent: anAgent(), tasks: [], installation, missingCredentials: undefined }
    const conditionsOf = (admissionPolicies: boolean) => {
      const [action] = reconcileAgent({ ...seen, admissionPolicies, needsPolicies: true }).actions
      assert.ok(action?.kind === 'writeAgent')
      return action.status.conditions?.map(({ type, status, message }) => [type, status, message])
    }
    const { type, status, message } = claimAgentReady(seen.agent, {}, seen)
    assert.deepEqual(conditionsOf(true), [[type, status, message]])
    assert.deepEqual(conditionsOf(false), [
      [type, status, message],
      ['DecisionsProven', 'False', POLICIES_MISSING],
    ])
  })
})
