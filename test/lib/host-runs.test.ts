import assert from 'node:assert/strict'
import type { HostType } from '../../core/crd/types.ts'
import { HostUnanswered } from '../../lib/host-api.ts'
import { HostRefused, readRuns } from '../../lib/host-runs.ts'
import { type HostReply, type StandIn, openStandIn } from '../runner/deliveries/host-stand-in.ts'

const TOKEN = 'glpat-marker-4711'
const COMMIT = 'c0ffee00'

const STATUSES = {
  state: 'failure',
  statuses: [
    { context: 'build', state: 'failure', status: 'failure', target_url: 'https://ci.example/1' },
    { context: 'odd', state: 'dreaming', status: 'dreaming', target_url: 'javascript:alert(1)' },
  ],
}

/** What each kind of host is asked, what it answers, and what is read of it. */
const HOSTS: Readonly<Record<HostType, { asked: readonly string[]; answers: readonly unknown[]; read: object[] }>> = {
  GitHub: {
    asked: [
      `/repos/acme/shop%20x/commits/${COMMIT}/status?per_page=100`,
      `/repos/acme/shop%20x/commits/${COMMIT}/check-runs?per_page=100`,
    ],
    answers: [
      STATUSES,
      {
        check_runs: [
          { name: 'unit', status: 'completed', conclusion: 'success', html_url: 'https://ci.example/2' },
          { name: 'lint', status: 'in_progress', conclusion: null, html_url: 'https://ci.example/3' },
          { name: 'late', status: 'completed', conclusion: 'timed_out' },
        ],
      },
    ],
    read: [
      { name: 'build', state: 'Failed', url: 'https://ci.example/1' },
      { name: 'odd', state: 'Pending' },
      { name: 'unit', state: 'Passed', url: 'https://ci.example/2' },
      { name: 'lint', state: 'Pending', url: 'https://ci.example/3' },
      { name: 'late', state: 'Failed' },
    ],
  },
  GitLab: {
    asked: [`/projects/acme%2Fshop%20x/repository/commits/${COMMIT}/statuses?per_page=100`],
    answers: [
      [
        { name: 'build', status: 'failed', allow_failure: false, target_url: 'https://ci.example/1' },
        { name: 'fuzz', status: 'failed', allow_failure: true },
        { name: 'unit', status: 'running' },
      ],
    ],
    read: [
      { name: 'build', state: 'Failed', url: 'https://ci.example/1' },
      { name: 'fuzz', state: 'Passed' },
      { name: 'unit', state: 'Pending' },
    ],
  },
  Gitea: {
    asked: [`/repos/acme/shop%20x/commits/${COMMIT}/status?limit=50`],
    answers: [
      { ...STATUSES, statuses: [...STATUSES.statuses, { context: 'own', status: 'success', target_url: '/a/1' }] },
    ],
    read: [
      { name: 'build', state: 'Failed', url: 'https://ci.example/1' },
      { name: 'odd', state: 'Pending' },
      { name: 'own', state: 'Passed', url: 'ORIGIN/a/1' },
    ],
  },
}

describe('the CI of a git host', () => {
  let host: StandIn
  let reply: (url: string) => HostReply
  beforeEach(async () => void (host = await openStandIn(({ url }) => reply(url))))
  afterEach(() => host.close())
  const read = (type: HostType, signal = new AbortController().signal) =>
    readRuns({ type, apiUrl: host.origin, path: 'acme/shop x' }, COMMIT, { token: TOKEN, signal, way: {} })

  for (const [name, { asked, answers, read: expected }] of Object.entries(HOSTS)) {
    it(`is read at ${name}, with links to pages alone`, async () => {
      reply = (url) => ({ status: 200, body: answers[asked.indexOf(url)] })
      const found = JSON.parse(JSON.stringify(await read(name as HostType)).replaceAll(host.origin, 'ORIGIN'))
      assert.deepEqual(found, expected)
      assert.deepEqual(host.calls.map(({ url }) => url).toSorted(), asked.toSorted())
      assert.ok(host.calls.every(({ method, authorization }) => `${method} ${authorization}` === `GET Bearer ${TOKEN}`))
    })

    it(`is none at ${name} where its answer has another shape`, async () => {
      for (const body of [{}, [], { statuses: null, check_runs: 1 }, null]) {
        reply = () => ({ status: 200, body })
        assert.deepEqual(await read(name as HostType), [])
      }
    })
  }

  it('is read to its end: what failed on a later page is not green', async () => {
    const page = (items: readonly object[]) => ({ statuses: items, check_runs: items })
    for (const [type, size] of Object.entries({ GitHub: 100, GitLab: 100, Gitea: 50 })) {
      const green = { name: 'a', context: 'a', state: 'success', status: 'success' }
      const red = { name: 'b', context: 'b', state: 'failure', status: 'failed' }
      reply = (url) => {
        const items = url.endsWith('&page=2') ? [red] : Array.from({ length: size }, () => green)
        return { status: 200, body: type === 'GitLab' ? items : page(items) }
      }
      const found = await read(type as HostType)
      assert.ok(
        found.some(({ name, state }) => name === 'b' && state === 'Failed'),
        type,
      )
    }
  })

  it('is read as far as the token may: at GitHub one of two rights is enough', async () => {
    reply = (url) => (url.includes('check-runs') ? { status: 403, body: {} } : { status: 200, body: STATUSES })
    assert.deepEqual(
      (await read('GitHub')).map(({ name }) => name),
      ['build', 'odd'],
    )
  })

  it('is refused in words that hold nothing of the answer, and that say whether to try again', async () => {
    const cases: readonly (readonly [HostReply, boolean])[] = [
      [{ status: 403, body: { message: TOKEN } }, false],
      [{ status: 404, body: { message: TOKEN } }, false],
      [{ status: 200, body: `<html>${TOKEN}` }, false],
      [{ status: 429, body: { message: TOKEN } }, true],
      [{ status: 403, body: { message: `API rate limit exceeded ${TOKEN}` } }, true],
      [{ status: 502, body: TOKEN }, true],
    ]
    for (const [answer, isPassing] of cases)
      for (const type of ['GitHub', 'GitLab', 'Gitea'] as const) {
        reply = () => answer
        await assert.rejects(read(type), (error: unknown) => {
          assert.ok(error instanceof HostRefused)
          assert.deepEqual([error.isPassing, error.message.includes(TOKEN)], [isPassing, false])
          return true
        })
      }
  })

  it('sends the token to no other host, though this one redirects there', async () => {
    const other = await openStandIn(() => ({ status: 200, body: [] }))
    try {
      reply = () => ({ status: 307, body: {}, headers: { Location: `${other.origin}/x` } })
      await assert.rejects(read('GitLab'), HostUnanswered)
      assert.deepEqual(other.calls, [])
    } finally {
      await other.close()
    }
  })
})
