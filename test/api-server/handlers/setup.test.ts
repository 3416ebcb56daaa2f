// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DRAIN_AFTER } from '../../../core/agent/drain.ts'
import { anAgent } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, startRig } from '../rig.ts'

describe('setting up over REST', () => {
  let owners: Rig
  let cluster: Rig
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-setup-'))
    owners = await startRig({ gitUser: { home: homedir(), env: process.env }, tokens: [] })
    cluster = await startRig({ embedded: false })
  })
  after(async () => {
    await owners.stop()
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const tried = async (api: Rig, body: object) => {
    const answer = await api.post('/api/projects/try', body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  it('finds the default branch, counts branches, and says that a folder takes pushes', async () => {
    const remote = makeRemote(folder, { 'a.txt': 'a\n' })
    remote.git('branch', 'other', 'main')
    assert.deepEqual(await tried(owners, { remote_url: remote.path }), {
      outcome: 'reachable',
      usable: true,
      tried_as: 'owner',
      default_branch: 'main',
      branches: 2,
      push: 'likely',
    })
  })

  it('names the oldest project that has the repository already, by whatever form of its URL', async () => {
    const { path } = makeRemote(join(folder, 'shared'), { 'a.txt': 'a\n' })
    assert.equal(at(await tried(owners, { remote_url: path }), 'project'), undefined)
    for (const id of ['first', 'second']) await owners.post('/api/projects', { id, name: 'Shop', remote_url: path })
    assert.equal(at(await tried(owners, { remote_url: `file://${path}/` }), 'project'), 'first')
    for (const id of ['first', 'second']) await owners.delete(`/api/projects/${id}`)
  })

  it('says that a folder is no repository', async () => {
    await mkdir(join(folder, 'empty'))
    const answer = await tried(owners, { remote_url: join(folder, 'empty') })
    assert.equal(at(answer, 'outcome'), 'unreachable')
    assert.match(textAt(answer, 'reason'), /does not exist, or is not visible without credentials: check its URL/)
  })

  it('refuses what a create refuses, in its words, and stores nothing', async () => {
    for (const [api, remote_url] of [
      [owners, '--upload-pack=touch'],
      [owners, 'ext::sh -c touch'],
      [cluster, '/srv/shop'],
      [cluster, 'file:///srv/shop'],
    ] as const) {
      const refused = await api.post('/api/projects/try', { remote_url })
      const created = await api.post('/api/projects', { id: 'refused', name: 'Refused', remote_url })
      assert.deepEqual([refused.status, refused.body], [created.status, created.body])
      assert.equal(refused.status, 400)
    }
    assert.deepEqual((await owners.get('/api/projects')).body, [])
  })

  it('reaches no private network from a cluster, and says of ssh and of a Secret that it cannot tell', async () => {
    const inside = await tried(cluster, { remote_url: 'http://127.0.0.1:9/a.git' })
    assert.deepEqual(
      ['outcome', 'usable', 'tried_as'].map((field) => at(inside, field)),
      ['unreachable', false, 'nobody'],
    )
    const ssh = await tried(cluster, { remote_url: 'git@git.example:a/b.git', git: { secret_name: 'deploy-key' } })
    assert.deepEqual([at(ssh, 'outcome'), at(ssh, 'usable')], ['unknown', true])
    assert.match(textAt(ssh, 'reason'), /the first task tries it with Secret deploy-key/)
  })

  it('refuses a token or a password in the URL, and repeats it nowhere', async () => {
    for (const userinfo of ['hunter2secret', 'bot:hunter2secret']) {
      const refused = await owners.post('/api/projects/try', { remote_url: `https://${userinfo}@host.example/a` })
      assert.deepEqual([refused.status, refused.text.includes('hunter2secret')], [400, false])
    }
  })

  it('tells in a cluster that images bring the programs', async () => {
    assert.deepEqual((await cluster.get('/api/programs')).body, { place: 'images', programs: [] })
  })

  it('tells since when an agent is drained or limited', async () => {
    const since = '2030-01-01T00:00:00Z'
    const end = '2999-01-01T00:00:00Z'
    await owners.givenAgent(
      anAgent({ name: 'drained', status: { drained: { since, reason: `${DRAIN_AFTER} failures` } } }),
    )
    const events = [
      { kind: 'rate_limited', at: '2029-12-31T00:00:00Z' },
      { kind: 'recovered', at: '2029-12-31T01:00:00Z' },
      { kind: 'rate_limited', at: since },
      { kind: 'rate_limited', at: '2030-01-01T01:00:00Z' },
    ] as const
    await owners.givenAgent(anAgent({ name: 'limited', status: { rateLimitedUntil: end, events: [...events] } }))
    for (const [id, state] of [
      ['drained', 'drained'],
      ['limited', 'rate_limited'],
    ] as const) {
      const status = async () => at((await owners.get(`/api/agents/${id}`)).body, 'status')
      await until(`${id} is ${state}`, async () => at(await status(), 'state') === state)
      assert.equal(at(await status(), 'since'), since)
    }
  })
})
