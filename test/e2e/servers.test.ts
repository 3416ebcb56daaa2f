import assert from 'node:assert/strict'
import { kill } from 'node:process'
import { findProcessesByEnvironment } from '../../lib/process.ts'
import type { Input } from '../../core/rest/client/client.ts'
import { runSlipway } from '../helpers/slipway.ts'
import { until } from '../helpers/until.ts'
import {
  api,
  apiServers,
  connectTo,
  dig,
  GIT_SERVER,
  kubectl,
  kubectlJson,
  letGo,
  makeProject,
  MINUTE,
  NAMESPACE,
  onGitServer,
  records,
  SERVER_URL,
  submit,
  untilField,
  untilState,
} from './cluster.ts'
import { claudeThatAnswers } from './judge.ts'
import { type LivePage, openLivePage, retryUnlessAnswered } from './live-page.ts'

/** A port that nobody listens on. */
const NOWHERE = 'http://127.0.0.1:1'

/** Prints numbered lines until it is let go. */
const COUNTING = `n=0
until [ -e "$SERVICE_DROP_DIR/counted" ]; do n=$((n + 1)); echo "line $n"; sleep 0.1; done
echo "last line $n"`

/** A repository whose pushes are held, and counted, for as long as a file is there. */
const HELD_REPOSITORY = `cd /repositories && git clone --quiet --bare sample.git approvals.git
git -C approvals.git config http.receivepack true
printf '%s\\n' '#!/bin/sh' 'echo >> /repositories/approval-pushes' \
  'while [ -e /repositories/approval-hold ]; do sleep 0.1; done' > approvals.git/hooks/pre-receive
chmod +x approvals.git/hooks/pre-receive; touch approval-hold`

/** What an agent makes of a request. */
const PLAN = {
  name: 'A plan for two',
  branch_name: 'story/for-two',
  spec: 'Both.',
  acceptance_criteria: ['Both are there.'],
  tasks: [
    { name: 'One', description: 'The first.' },
    { name: 'Two', description: 'The second.' },
  ],
  validation: { type: 'test', steps: ['true'], success_criteria: 'All pass.' },
}

type Server = Awaited<ReturnType<typeof connectTo>>

async function pushLeader(): Promise<string> {
  const { spec } = await kubectlJson('get', 'lease', 'slipway-push')
  return String(dig(spec, 'holderIdentity'))
}

/** A server that does not lead the notifications, and the one that does. */
async function bothServers(): Promise<readonly [follower: string, leader: string]> {
  const pods = await apiServers()
  assert.equal(pods.length, 2)
  const holder = await pushLeader()
  const [first = '', second = ''] = pods
  return holder.startsWith(`${first}-`) ? [second, first] : [first, second]
}

async function replace(pod: string): Promise<void> {
  await kubectl('delete', 'pod', pod, '--timeout=60s')
  await kubectl('rollout', 'status', 'deployment/slipway-api-server', '--timeout=120s')
}

/** Follows a log as a browser's EventSource does: after each end of a connection it goes on behind the last event. */
async function followLog(id: string, first: Server, lines: string[]): Promise<unknown> {
  let after: string | undefined
  let server = first.api
  const read = async (): Promise<unknown> => {
    const headers: Record<string, string> = after === undefined ? {} : { 'Last-Event-ID': after }
    const log = server.streamTaskLogs({ params: { id } }, { headers })
    server = api
    for await (const event of log) {
      if (event.event === 'end') return event.data['state']
      lines.push(String(event.data['line']))
      after = event.id ?? after
    }
    // A server that stops ends its streams without the event `end`.
    return retryUnlessAnswered(read)
  }
  return retryUnlessAnswered(read)
}

function countedTo(lines: readonly string[]): number {
  const numbers = lines.filter((line) => line.startsWith('line ')).map((line) => Number(line.slice('line '.length)))
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => n + 1),
  )
  return numbers.length
}

describe('two API servers', function () {
  this.timeout(4 * MINUTE)

  after(() => kubectl('rollout', 'status', 'deployment/slipway-api-server', '--timeout=120s'))

  describe('and clients of the one that leads nothing', () => {
    let follower = ''
    let leader = ''
    let asked: Server
    let page: LivePage
    let following: Promise<unknown>
    let atTerminal: ReturnType<typeof runSlipway>
    const lines: string[] = []

    before(async () => {
      ;[follower, leader] = await bothServers()
      const [followed, other] = await Promise.all([connectTo(follower), connectTo(leader)])
      asked = other
      await makeProject('servers', { remote_url: `http://${GIT_SERVER}/sample.git` })
      page = openLivePage({ url: followed.url, listTasks: () => api.listTasks() })
      await until('the page is connected', () => page.phase() === 'live')
      const agent = { type: 'script', instructions: COUNTING }
      await asked.api.createTask({ body: { id: 'counting', name: 'Counting', project: 'servers', agent } })
      await asked.api.runTask({ params: { id: 'counting' } })
      following = followLog('counting', followed, lines)
      await untilField('tasks.slipway.dev/counting', '.status.state', 'RUNNING', 2 * MINUTE)
      atTerminal = runSlipway(['-n', NAMESPACE, 'logs', '-f', 'counting'])
    })
    after(() => page.stop())

    const shows = (id: string, state: string) =>
      until(`the page shows ${id} as ${state}`, () => page.shown.get(id) === state, MINUTE)

    async function readsOn(): Promise<void> {
      const before = lines.length
      await until('the log is followed', () => lines.length > before + 10, MINUTE)
    }

    it('are shown what is asked of the other, log and messages', async () => {
      await readsOn()
      await shows('counting', 'RUNNING')
      await asked.api.createTask({ body: { id: 'cancelled-there', name: 'Cancelled there', project: 'servers' } })
      await asked.api.cancelTask({ params: { id: 'cancelled-there' } })
      await shows('cancelled-there', 'CANCELLED')
    })

    it('go on with the other when the pod is deleted, and are told to read again what changed meanwhile', async () => {
      page.leadTo(NOWHERE)
      const told = page.messages.length
      const gone = replace(follower)
      await until('the page is cut off', () => page.phase() === 'away', MINUTE)
      await asked.api.createTask({ body: { id: 'made-meanwhile', name: 'Made meanwhile', project: 'servers' } })
      page.leadTo(SERVER_URL)
      await shows('made-meanwhile', 'PENDING')
      assert.equal(page.messages[told]?.type, 'resync')
      await readsOn()
      await gone
    })

    it('go on when the leader is deleted, and another leads', async () => {
      const before = await pushLeader()
      await replace(leader)
      await until('another leads', async () => ![before, ''].includes(await pushLeader()), MINUTE)
      await readsOn()
      await until('the page is connected', () => page.phase() === 'live', MINUTE)
      await submit('after-all', 'servers', 'echo after all')
      await shows('after-all', 'QUEUED')
    })

    it('have missed and repeated no line at the end, and show every task as it is', async () => {
      await letGo('counted')
      assert.equal(await following, 'READY')
      const count = countedTo(lines)
      assert.ok(lines.includes(`last line ${count}`))
      const { code, output } = await atTerminal
      assert.equal(code, 0, output)
      assert.equal(countedTo(output.split('\n')), count)
      await untilState('after-all', 'READY', 2 * MINUTE)
      for (const id of ['counting', 'after-all']) await shows(id, 'READY')
    })
  })

  describe('one of which is killed in the middle of the approval of a plan', () => {
    const storiesOfPlan = async () =>
      records((await kubectlJson('get', 'stories.slipway.dev'))['items']).filter(
        ({ spec }) => dig(spec, 'branchName') === PLAN.branch_name,
      )
    let page: LivePage
    let plan: Input<'approveStory'>['body']
    let answer: unknown
    let toldBefore: unknown[]
    let id = ''

    before(async () => {
      await onGitServer(HELD_REPOSITORY)
      await makeProject('approvals')
      const command = claudeThatAnswers(PLAN)
      const classifier = { enabled: false }
      await api.createAgent({ body: { id: 'planner-for-two', adapter: 'claude', command, classifier } })
      const [survivor = '', victim = ''] = await apiServers()
      const [watched, asked] = await Promise.all([connectTo(survivor), connectTo(victim)])
      page = openLivePage({ url: watched.url, listTasks: () => watched.api.listTasks() })
      await until('the page is connected', () => page.phase() === 'live')
      const request = { prompt: 'Something for two', project_id: 'approvals' }
      const proposed = await asked.api.elaborateStory({ query: { agent: 'planner-for-two' }, body: request })
      plan = { ...proposed, project_id: 'approvals' }
      const approving = asked.api.approveStory({ body: plan }).catch((error: unknown) => error)
      await onGitServer(
        'for _ in $(seq 1200); do [ -e /repositories/approval-pushes ] && exit; sleep 0.1; done; exit 1',
      )
      toldBefore = [page.messages.filter(({ type }) => type.startsWith('story')), await api.listStories()]
      await killServer(victim)
      await onGitServer('rm /repositories/approval-hold')
      answer = await approving
      const finished = async () => (await storiesOfPlan()).some(({ metadata }) => !isBeingApproved(metadata))
      await until('another server has finished the approval', finished, 2 * MINUTE)
      id = String(dig((await storiesOfPlan())[0], 'metadata', 'name'))
    })
    after(async () => {
      page.stop()
      await api.deleteAgent({ params: { id: 'planner-for-two' } })
    })

    it('told its caller nothing, and a client of the other nothing of a half', () => {
      assert.ok(answer instanceof Error, JSON.stringify(answer))
      const [messages, stories] = toldBefore
      assert.deepEqual(messages, [])
      assert.ok(records(stories).every(({ name }) => name !== PLAN.name))
    })

    it('is followed by the other, which approves it once and whole', async () => {
      assert.equal((await storiesOfPlan()).length, 1)
      const tasks = await api.listStoryTasks({ params: { id } })
      assert.deepEqual(
        tasks.map((each) => [each.name, each.depends_on]),
        [
          ['One', []],
          ['Two', [`${id}-t01`]],
        ],
      )
      assert.equal(await onGitServer('wc -l < /repositories/approval-pushes'), '1\n')
      await until('the page is told', () => page.messages.some(({ story }) => story?.id === id), MINUTE)
      await until('the page shows its tasks', () => tasks.every((each) => page.shown.has(each.id)), MINUTE)
    })

    it('is refused when it is sent again, by the name of the story that it became', async () => {
      await assert.rejects(api.approveStory({ body: plan }), { status: 409, message: new RegExp(`of story ${id} `) })
    })
  })
})

function isBeingApproved(metadata: unknown): boolean {
  return dig(metadata, 'annotations', 'slipway.dev/approving') !== undefined
}

/** SIGKILL where this machine is the node; elsewhere the pod is deleted without grace. */
async function killServer(pod: string): Promise<void> {
  const pids = process.env['SLIPWAY_E2E_THIS_NODE'] === '1' ? await findProcessesByEnvironment('HOSTNAME', pod) : []
  for (const pid of pids) kill(pid, 'SIGKILL')
  if (pids.length === 0) await kubectl('delete', 'pod', pod, '--grace-period=0', '--force', '--wait=false')
}
