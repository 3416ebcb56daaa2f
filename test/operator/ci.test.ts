import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ProjectSpec, TaskStatus } from '../../core/crd/types.ts'
import { PROJECTS, SECRETS, TASKS } from '../../kube/resources.ts'
import { createCiPass } from '../../operator/ci.ts'
import { aProject, aTask, NAMESPACE } from '../helpers/build.ts'
import { recordingLogger } from '../helpers/log.ts'
import { until } from '../helpers/until.ts'
import { type HostReply, type StandIn, openStandIn } from '../runner/deliveries/host-stand-in.ts'
import { type World, openWorld } from './world.ts'

/** A line of the log that is no warning (pino). */
const INFO = 30
const TOKEN = 'glpat-marker-4711'
const [COMMIT, NEXT] = ['a'.repeat(40), 'b'.repeat(40)]
const READY: TaskStatus = { state: 'READY', head: { commit: COMMIT, at: '2026-01-01T00:00:00Z' } }
const MALFORMED = ['the CI of a project is asked of nobody: its host.apiUrl is malformed; correct it', 'project-a']
const OTHER = { project: 'project-a', repositoryUrl: 'https://git.example/a/b.git' }
const GREEN: HostReply = { status: 200, body: [{ name: 'ci', status: 'success' }] }
const RED: HostReply = { status: 200, body: [{ name: 'ci', status: 'failed', target_url: 'https://ci.example/1' }] }

describe('the CI of work that waits', () => {
  let world: World
  let host: StandIn
  let reply: HostReply
  let log: ReturnType<typeof recordingLogger>
  let pass: (ended: AbortSignal) => Promise<void>
  beforeEach(async () => {
    world = await openWorld()
    reply = GREEN
    host = await openStandIn(() => reply)
    log = recordingLogger()
    const { clock, context } = world
    pass = createCiPass({
      served: [{ namespace: NAMESPACE, context }],
      clock,
      logger: log.logger,
      env: {},
    })
  })
  afterEach(async () => {
    assert.ok(!JSON.stringify([log.lines, world.kube.all(TASKS)]).includes(TOKEN), 'the token is shown')
    await host.close()
    await world.close()
  })

  const givenSecret = (origin: string, parts: { type?: string; host?: string } = {}, name = 'git'): void =>
    void world.kube.put(SECRETS, {
      metadata: {
        name,
        namespace: NAMESPACE,
        labels: { 'slipway.dev/usable-by': 'git' },
        annotations: { 'slipway.dev/git-host': parts.host ?? new URL(origin).host },
      },
      type: parts.type ?? 'kubernetes.io/basic-auth',
      data:
        parts.type === undefined ? { password: btoa(`${TOKEN}\n`) } : { 'ssh-privatekey': 'eA==', known_hosts: 'eA==' },
    })
  const givenProject = (origin: string, spec: Partial<ProjectSpec> = {}, name = 'project-a'): void =>
    void world.kube.put(
      PROJECTS,
      aProject({
        name,
        spec: {
          remoteUrl: `${origin}/acme/shop.git`,
          git: { secretName: 'git' },
          host: { type: 'GitLab', apiUrl: origin },
          ...spec,
        },
      }),
    )
  const givenTask = (status: TaskStatus = {}, name = 'task-a', project = 'project-a'): void => {
    const head = { commit: COMMIT, at: world.clock.now().toISOString() }
    const { repositoryUrl: _, ...spec } = aTask({ spec: { project } }).spec
    world.kube.put(TASKS, { ...aTask({ name, status: { state: 'READY', head, ...status } }), spec })
  }
  const given = (): void => {
    givenSecret(host.origin)
    givenProject(host.origin)
    givenTask()
  }
  const look = async (afterMs = 0): Promise<void> => {
    await world.clock.advance(afterMs)
    await pass(new AbortController().signal)
  }
  const ci = (name = 'task-a') => world.task(name).status?.ci

  it('stands on the task, and changes with what the host says', async () => {
    given()
    await look()
    const { at, ...report } = ci() ?? {}
    assert.deepEqual(report, { commit: COMMIT, state: 'Passed', total: 1, runs: [{ name: 'ci', state: 'Passed' }] })
    const { resourceVersion } = world.task().metadata
    await look(10 * 60_000)
    assert.deepEqual([ci()?.at, world.task().metadata.resourceVersion, host.calls.length], [at, resourceVersion, 2])
    reply = RED
    await look(10 * 60_000)
    assert.deepEqual(ci()?.runs, [{ name: 'ci', state: 'Failed', url: 'https://ci.example/1' }])
    givenTask({ head: { commit: NEXT, at: world.clock.now().toISOString() } })
    await look()
    assert.equal(ci()?.commit, NEXT)
  })

  it('is asked about by the plan, not at each pass, and not at all once the commit is a day old', async () => {
    given()
    for (let i = 0; i < 6; i++) await look(4_000)
    assert.equal(host.calls.length, 1)
    await look(25 * 3_600_000)
    assert.equal(host.calls.length, 1)
  })

  const silent: readonly (readonly [string, () => void])[] = [
    ['without a project', () => world.kube.put(TASKS, aTask({ status: READY }))],
    ['without a Secret', () => givenProject('https://git.example', { git: {} })],
    ['for a repository that is not the project’s', () => world.kube.put(TASKS, aTask({ spec: OTHER, status: READY }))],
    ['where the kind of host is not known', () => givenProject(host.origin, { host: { apiUrl: host.origin } })],
    ['where the Secret is for another host', () => givenSecret(host.origin, { host: 'git.example' })],
    ['with a key of ssh', () => givenSecret(host.origin, { type: 'kubernetes.io/ssh-auth' })],
    ['while the task runs', () => givenTask({ state: 'RUNNING' })],
    [
      'of work that is merged',
      () => givenTask({ state: 'COMPLETED', delivery: { state: 'Delivered', kind: 'Merge' } }),
    ],
  ]
  for (const [when, change] of silent) {
    it(`is asked of nobody ${when}`, async () => {
      given()
      change()
      await look()
      assert.deepEqual([host.calls, ci()], [[], undefined])
    })
  }

  it('of an opened pull request is asked about at its commit', async () => {
    given()
    const at = world.clock.now().toISOString()
    const delivery = {
      kind: 'PullRequest',
      state: 'Delivered',
      url: 'https://git.example/1',
      commit: NEXT,
      at,
    } as const
    givenTask({ state: 'COMPLETED', delivery })
    await look()
    assert.equal(ci()?.commit, NEXT)
  })

  it('is left alone where the host refuses, a minute first, then longer, and is said once', async () => {
    given()
    reply = { status: 403, body: { message: `no ${TOKEN}` } }
    await look()
    await look(45_000)
    assert.equal(host.calls.length, 1)
    await look(45_000)
    await look(120_000)
    assert.equal(host.calls.length, 2)
    reply = GREEN
    await look(300_000)
    assert.deepEqual([host.calls.length, ci()?.state], [3, 'Passed'])
    assert.deepEqual(
      log.lines.map(({ level, msg, host: at }) => [level, msg, at]),
      [[INFO, 'a host was asked for its CI in vain', host.origin]],
    )
  })

  it('is asked of nobody at a malformed URL, which is said once for each', async () => {
    given()
    const colon = 'https://git.example:port'
    const users = 'https://a@b@git.example'
    for (const [n, apiUrl] of [colon, colon, 'https://', users, users].entries()) {
      givenProject(host.origin, { host: { type: 'GitLab', apiUrl } })
      givenTask({ head: { commit: String(n).repeat(40), at: world.clock.now().toISOString() } })
      await look()
    }
    assert.deepEqual(
      log.lines.map(({ msg, project }) => [msg, project]),
      [MALFORMED, MALFORMED, MALFORMED],
    )
    assert.deepEqual(host.calls, [])
  })

  it('of a project that is gone and made again is said anew to be malformed', async () => {
    given()
    for (const n of [1, 2]) {
      givenProject(host.origin, { host: { type: 'GitLab', apiUrl: 'https://' } })
      givenTask({ head: { commit: String(n).repeat(40), at: world.clock.now().toISOString() } })
      await look()
      await world.kube.delete(PROJECTS, { namespace: NAMESPACE, name: 'project-a' })
      await look()
    }
    assert.equal(log.lines.length, 2)
  })

  it('is left alone for a minute after the first outage, however many were asked about at once', async () => {
    given()
    for (const name of ['task-b', 'task-c', 'task-d']) givenTask({}, name)
    reply = { status: 502, body: 'bad gateway' }
    await look()
    assert.equal(host.calls.length, 4)
    reply = GREEN
    await look(61_000)
    assert.deepEqual(
      ['task-a', 'task-b', 'task-c', 'task-d'].map((name) => ci(name)?.state),
      Array.from({ length: 4 }, () => 'Passed'),
    )
    assert.equal(log.lines.length, 1)
  })

  it('is asked for with another token where the limit of one is reached', async () => {
    given()
    reply = { status: 429, body: {} }
    await look()
    givenSecret(host.origin, {}, 'other')
    givenProject(host.origin, { git: { secretName: 'other' } }, 'project-b')
    givenTask({}, 'task-b', 'project-b')
    reply = GREEN
    await look(1_000)
    assert.deepEqual([ci()?.state, ci('task-b')?.state], [undefined, 'Passed'])
  })

  it('is asked for less often with a token of whose limit less than half is left to deliver with', async () => {
    given()
    reply = { ...GREEN, headers: { 'X-RateLimit-Limit': '5000', 'X-RateLimit-Remaining': '2400' } }
    await look()
    givenTask({}, 'task-b')
    await look(30_000)
    assert.deepEqual([ci()?.state, ci('task-b'), host.calls.length], ['Passed', undefined, 1])
    reply = { ...GREEN, headers: { 'X-RateLimit-Limit': '5000', 'X-RateLimit-Remaining': '4900' } }
    await look(60_000)
    assert.equal(ci('task-b')?.state, 'Passed')
    givenTask({}, 'task-c')
    await look(1_000)
    assert.equal(ci('task-c')?.state, 'Passed')
    assert.deepEqual(log.lines, [])
  })

  it('of one host is known though another one hangs, and the one that hangs is left alone', async () => {
    let asked = 0
    const hanging: Server = createServer(() => void (asked += 1))
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    try {
      const origin = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
      given()
      // The default Secret of its host: the one above is for the other.
      world.kube.put(SECRETS, {
        metadata: {
          name: 'hanging',
          namespace: NAMESPACE,
          labels: { 'slipway.dev/usable-by': 'git' },
          annotations: { 'slipway.dev/git-host': new URL(origin).host },
        },
        type: 'kubernetes.io/basic-auth',
        data: { password: btoa(TOKEN) },
      })
      givenProject(origin, { git: { secretName: 'hanging' } }, 'project-b')
      givenTask({}, 'stuck', 'project-b')
      const looking = look()
      await until('the one is known while the other hangs', () => ci()?.state === 'Passed' && asked === 1)
      await world.clock.advance(10_000)
      await looking
      await look(31_000)
      assert.equal(asked, 1)
    } finally {
      hanging.closeAllConnections()
      await new Promise((resolve) => hanging.close(resolve))
    }
  })

  it('of a commit that is no longer the reviewed one is not kept', async () => {
    givenSecret(host.origin)
    givenProject(host.origin)
    givenTask()
    const ended = new AbortController().signal
    const passing = pass(ended)
    givenTask({ head: { commit: NEXT, at: world.clock.now().toISOString() } })
    await passing
    assert.notEqual(ci()?.commit, COMMIT)
  })

  it('stops asking when the operator stops', async () => {
    const hanging: Server = createServer(() => undefined)
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    try {
      const origin = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
      givenSecret(origin)
      givenProject(origin)
      givenTask()
      const stop = new AbortController()
      const passing = pass(stop.signal)
      await until('the host is asked', () => world.clock.pending() === 1)
      stop.abort()
      await passing
      assert.deepEqual(log.lines, [])
    } finally {
      hanging.closeAllConnections()
      await new Promise((resolve) => hanging.close(resolve))
    }
  })
})
