import assert from 'node:assert/strict'
import { kill } from 'node:process'
import { findProcessesByEnvironment } from '../../lib/process.ts'
import { until } from '../helpers/until.ts'
import {
  api,
  describeOnThisNode,
  dig,
  GIT_SERVER,
  gitOnServer,
  heldUntil,
  isStepRunning,
  kubectl,
  kubectlJson,
  labelled,
  letGo,
  makeProject,
  MINUTE,
  onGitServer,
  records,
  submit,
  untilField,
  untilState,
} from './cluster.ts'

const LEGS = ['relay-1', 'relay-2', 'relay-3']

/** Leaves one line per start and per end where all tasks see it, and can be met in between. */
function leg(id: string): string {
  return `echo "start ${id}" >> "$SERVICE_DROP_DIR/relay"; ${heldUntil('relay-goes')}; echo ${id} > ${id}.txt
    echo "end ${id}" >> "$SERVICE_DROP_DIR/relay"`
}

/** Holds a push to main for as long as the file is there, and says that one has come. */
const HOLD = `printf '%s\\n' '#!/bin/sh' 'read -r _ _ ref' '[ "$ref" = refs/heads/main ] || exit 0' \
  'echo >> /repositories/pushes; while [ -e /repositories/hold ]; do sleep 0.1; done' > "$1/hooks/pre-receive"
chmod +x "$1/hooks/pre-receive"; touch /repositories/hold`

const executionsOf = async (id: string, purpose = 'Run') =>
  records((await kubectlJson('get', 'executions.slipway.dev'))['items'])
    .filter((found) => dig(found, 'spec', 'taskRef', 'name') === id && dig(found, 'spec', 'purpose') === purpose)
    .map((found) => dig(found, 'metadata', 'name'))

const jobsOf = async (execution: string) =>
  (await labelled('jobs', `slipway.dev/execution=${execution}`)).map((job) => dig(job, 'metadata', 'name'))

/** SIGKILL to the process: whose pod is deleted, without any grace even, is asked to stop first. */
async function killOperator(): Promise<void> {
  const { spec } = await kubectlJson('get', 'lease', 'slipway-operator')
  const [name = ''] = String(dig(spec, 'holderIdentity')).split('_')
  // The rig's node is this machine, so the processes of a pod are found here.
  const pids = await findProcessesByEnvironment('HOSTNAME', name)
  assert.notEqual(pids.length, 0, `no process of ${name} is found`)
  for (const pid of pids) kill(pid, 'SIGKILL')
  await kubectl('delete', 'pod', name, '--grace-period=0', '--force', '--wait=false')
  await kubectl('rollout', 'status', 'deployment/slipway-operator', '--timeout=120s')
}

describeOnThisNode('SIGKILL of the operator that leads', function () {
  this.timeout(6 * MINUTE)

  // Each kill costs the time that its Lease lasts: so the two meet a chain and a delivery at once.
  before('twice in the middle of a chain and of a delivery', async () => {
    await makeProject('chain')
    await makeProject('handover', { remote_url: `http://${GIT_SERVER}/shop.git`, on_accept: 'merge' })
    await submit('handed', 'handover', 'echo handed > handed.txt')
    await untilState('handed', 'READY', 2 * MINUTE)
    await onGitServer(HOLD, '/repositories/shop.git')
    await api.createStory({ body: { id: 'relay', name: 'A relay', project_id: 'chain', branch_name: 'story/relay' } })
    for (const id of LEGS) {
      const agent = { type: 'script', instructions: leg(id) }
      await api.createStoryTask({ params: { id: 'relay' }, body: { id, name: id, agent } })
    }
    await api.runStory({ params: { id: 'relay' } })
    await until('the agent step of relay-1 runs', () => isStepRunning('relay-1', 'agent'), 2 * MINUTE)
    await api.acceptTask({ params: { id: 'handed' } })
    await killOperator()
    await letGo('relay-goes')

    await onGitServer('for _ in $(seq 1200); do [ -e /repositories/pushes ] && exit; sleep 0.1; done; exit 1')
    await kubectl('wait', '--for=create', 'executions.slipway.dev/relay-2-1', '--timeout=120s')
    await killOperator()
    await onGitServer('rm /repositories/hold')
  })

  it('stops no chain: its tasks go on one after another to the end, and none of them runs twice', async () => {
    await untilField('stories.slipway.dev/relay', '.status.status', 'SHIPPABLE', 3 * MINUTE)
    const marks = Buffer.from(await api.getDrop({ params: { filename: 'relay' } })).toString()
    assert.equal(marks, LEGS.map((id) => `start ${id}\nend ${id}\n`).join(''))
    for (const id of LEGS) {
      assert.deepEqual([await executionsOf(id), await jobsOf(`${id}-1`)], [[`${id}-1`], [`${id}-1-run`]])
    }
    assert.equal((await gitOnServer('chain', 'rev-list', '--count', 'main..story/relay')).trim(), '3')
  })

  it('stops no delivery, and delivers nothing twice', async () => {
    await untilField('tasks.slipway.dev/handed', '.status.delivery.state', 'Delivered', 2 * MINUTE)
    assert.deepEqual(await executionsOf('handed', 'Deliver'), ['handed-d1'])
    assert.deepEqual(await jobsOf('handed-d1'), ['handed-d1-run'])
    assert.equal(await onGitServer('wc -l < /repositories/pushes'), '1\n')
    assert.equal(await gitOnServer('shop', 'show', 'main:handed.txt'), 'handed\n')
  })
})
