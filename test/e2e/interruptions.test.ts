import assert from 'node:assert/strict'
import { findProcessesByEnvironment } from '../../lib/process.ts'
import { EXECUTION_VARIABLE } from '../../runner/agent/environment.ts'
import { until } from '../helpers/until.ts'
import {
  api,
  describeOnThisNode,
  complaints,
  dig,
  GIT_SERVER,
  heldUntil,
  isStepRunning,
  kubectl,
  kubectlJson,
  labelled,
  letGo,
  makeProject,
  MINUTE,
  submit,
  untilState,
} from './cluster.ts'

const held = (id: string): string => `echo started; ${heldUntil(`${id}-goes`)}; echo done > done.txt`

/** Ignores SIGTERM, and so does a child that has left its session. */
const STUBBORN = `trap '' TERM; setsid bash -c "trap '' TERM; while true; do sleep 1; done" & echo started; while true; do sleep 1; done`

async function jobNames(task: string): Promise<unknown[]> {
  return (await labelled('jobs', `slipway.dev/task=${task}`)).map((job) => dig(job, 'metadata', 'name'))
}

async function leader() {
  const { spec } = await kubectlJson('get', 'lease', 'slipway-operator')
  const [acquiredAt = NaN, renewedAt = NaN] = ['acquireTime', 'renewTime'].map((at) =>
    Date.parse(String(dig(spec, at))),
  )
  const transitions = Number(dig(spec, 'leaseTransitions'))
  return { holder: String(dig(spec, 'holderIdentity')), transitions, acquiredAt, renewedAt }
}

describe('what interrupts', () => {
  before(() => makeProject('interruptions', { remote_url: `http://${GIT_SERVER}/sample.git` }))

  describeOnThisNode('a task', () => {
    it('ends the pod of a running task, and with it every process, those too that ignore SIGTERM', async () => {
      await submit('stubborn', 'interruptions', STUBBORN)
      // The rig's node is this machine, so the processes of a pod are found here.
      const processes = () => findProcessesByEnvironment(EXECUTION_VARIABLE, 'stubborn-1')
      await until('the processes of stubborn run', async () => (await processes()).length >= 3, MINUTE)
      await api.cancelTask({ params: { id: 'stubborn' } })
      await untilState('stubborn', 'CANCELLED', MINUTE)
      assert.deepEqual(await processes(), [])
      assert.equal(await isStepRunning('stubborn', 'agent'), false)
      await until('its Job is gone', async () => (await jobNames('stubborn')).length === 0)
    })
  })

  describe('the operator', () => {
    it("hands over at once when the operator's pod is deleted, and the task runs on in the same Job", async () => {
      await submit('survivor', 'interruptions', held('survivor'))
      await until('the agent step of survivor runs', () => isStepRunning('survivor', 'agent'), MINUTE)
      assert.deepEqual(await complaints('operator'), [])
      const before = await leader()
      await kubectl('delete', 'pod', '-l', 'app.kubernetes.io/component=operator', '--wait=false')
      let [last, now] = [before, before]
      await until('another operator leads', async () => {
        now = await leader()
        if (now.transitions === before.transitions) last = now
        return now.transitions > before.transitions
      })
      assert.notEqual(now.holder, before.holder)
      // A Lease that nobody gives back is free 15 seconds after it was last renewed.
      assert.ok(now.acquiredAt - last.renewedAt < 15_000, JSON.stringify([last, now]))
      await letGo('survivor-goes')
      await untilState('survivor', 'READY')
      assert.deepEqual(await jobNames('survivor'), ['survivor-1-run'])
    })

    it('takes the result of a Job that ended while no operator ran', async () => {
      await submit('orphan', 'interruptions', held('orphan'))
      await until('the agent step of orphan runs', () => isStepRunning('orphan', 'agent'), MINUTE)
      await kubectl('scale', 'deployment/slipway-operator', '--replicas=0')
      await kubectl('wait', '--for=delete', 'pods', '-l', 'app.kubernetes.io/component=operator', '--timeout=60s')
      await letGo('orphan-goes')
      await kubectl('wait', '--for=condition=Complete', 'job/orphan-1-run', '--timeout=60s')
      assert.equal((await untilState('orphan', 'RUNNING'))['state'], 'RUNNING')
      await kubectl('scale', 'deployment/slipway-operator', '--replicas=2')
      await untilState('orphan', 'READY')
      assert.deepEqual(await jobNames('orphan'), ['orphan-1-run'])
    })
  })
})
