import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { aCertificate } from '../../helpers/certificate.ts'
import { startConnectProxy } from '../../helpers/connect-proxy.ts'
import { gitHandler } from '../../helpers/git-over-http.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { type TestExecution, makeExecution, makeFolder, removeFolder } from '../execution.ts'
import { type HostCall, type HostReply, type StandIn, openStandIn } from './host-stand-in.ts'

const TOKEN = 'glpat-marker-4711'
const PAGE = 'https://git.example.com/acme/remote/pulls/7'

type HostType = NonNullable<NonNullable<RunSpec['delivery']>['host']>['type'] & string

/** How each kind of host shows an open request, and where it is asked for and made. */
const HOSTS = {
  GitHub: {
    path: '/repos/acme/remote/pulls',
    query: { state: 'open', head: 'acme:slipway/demo', base: 'main' },
    item: { html_url: PAGE },
    body: { title: 'Do it', head: 'slipway/demo', base: 'main', body: 'All of it.' },
    exists: {
      status: 422,
      body: { message: 'Validation Failed', errors: [{ message: 'A pull request already exists' }] },
    },
  },
  GitLab: {
    path: '/projects/acme%2Fremote/merge_requests',
    query: { state: 'opened', source_branch: 'slipway/demo', target_branch: 'main' },
    item: { web_url: PAGE },
    body: { title: 'Do it', source_branch: 'slipway/demo', target_branch: 'main', description: 'All of it.' },
    exists: { status: 409, body: { message: ['Another open merge request already exists'] } },
  },
  Gitea: {
    path: '/repos/acme/remote/pulls',
    query: { state: 'open', limit: '50', page: '1' },
    item: { html_url: PAGE, head: { ref: 'slipway/demo' }, base: { ref: 'main' } },
    body: { title: 'Do it', head: 'slipway/demo', base: 'main', body: 'All of it.' },
    exists: { status: 409, body: { message: 'pull request already exists' } },
  },
} as const satisfies Record<HostType, object>

describe('a pull request', () => {
  let root = ''
  let remote: Remote
  let host: StandIn | undefined
  /** Where that is another commit than the branch is at. */
  let reviewed: string | undefined
  beforeEach(async () => {
    root = makeFolder()
    reviewed = undefined
    remote = makeRemote(join(root, 'git', 'acme'), { a: '1' })
    remote.commit('slipway/demo', { b: '1' })
    mkdirSync(join(root, 'secret'))
    writeFileSync(join(root, 'secret', 'username'), 'robot')
    writeFileSync(join(root, 'secret', 'password'), `${TOKEN}\n`)
  })
  afterEach(async () => {
    await host?.close()
    host = undefined
    removeFolder(root)
  })

  async function request(
    type: HostType,
    reply: (call: HostCall) => HostReply,
    spec: Partial<RunSpec> = {},
    more: object = {},
  ) {
    host = await openStandIn(reply, gitHandler(join(root, 'git'), 'robot', TOKEN))
    const commit = reviewed ?? remote.git('rev-parse', 'slipway/demo')
    const delivery = {
      kind: 'PullRequest',
      branch: 'slipway/demo',
      commit,
      title: 'Do it',
      text: 'All of it.',
      ...more,
    } as const
    const execution = makeExecution(root, { path: `${host.origin}/acme/remote.git` }, '', {
      delivery: { ...delivery, host: { type, apiUrl: host.origin } },
      gitCredentialsDir: join(root, 'secret'),
      gitHost: new URL(host.origin).host,
      ...spec,
    })
    const end = await execution.step('deliver')
    refuseToken(execution, end.stdout + end.stderr)
    return { ...execution.result(), calls: host.calls }
  }

  /** The token is in none of the places that people see. */
  function refuseToken(execution: TestExecution, printed: string): void {
    const seen = [printed, execution.read('result.json'), readFileSync(join(root, 'termination-deliver'), 'utf8')]
    assert.ok(!seen.join().includes(TOKEN), 'the token is shown')
  }

  it('to a branch that is gone is not asked for: the words name that branch and the way out', async () => {
    const delivery = { kind: 'PullRequest', branch: 'slipway/demo', base: 'release' } as const
    const { error, calls } = await request('GitHub', () => ({ status: 500, body: {} }), {}, delivery)
    assert.deepEqual([error?.category, calls.length], ['git', 0])
    assert.match(error?.message ?? '', /has no branch release; create it, or .*, then try again/)
  })

  for (const [name, shape] of Object.entries(HOSTS)) {
    const type = name as HostType

    it(`is made at ${type}, with the token of the git Secret`, async () => {
      const reply = ({ method }: HostCall): HostReply =>
        method === 'GET' ? { status: 200, body: [] } : { status: 201, body: shape.item }
      const { delivered, calls } = await request(type, reply)
      assert.deepEqual(delivered, { commit: remote.git('rev-parse', 'slipway/demo'), url: PAGE })
      const [find, create] = calls
      assert.equal(find?.url, `${shape.path}?${new URLSearchParams(shape.query).toString()}`)
      assert.deepEqual([create?.method, create?.url, create?.body], ['POST', shape.path, shape.body])
      assert.deepEqual(new Set(calls.map(({ authorization }) => authorization)), new Set([`Bearer ${TOKEN}`]))
    })

    it(`that is open at ${type} already is found, not doubled`, async () => {
      const { delivered, calls } = await request(type, () => ({ status: 200, body: [shape.item] }))
      assert.equal(delivered?.url, PAGE)
      assert.deepEqual(new Set(calls.map(({ method }) => method)), new Set(['GET']))
    })

    it(`that somebody else makes at ${type} between look and creation is found`, async () => {
      let made = false
      const reply = ({ method }: HostCall): HostReply => {
        if (method === 'GET') return { status: 200, body: made ? [shape.item] : [] }
        made = true
        return shape.exists
      }
      const { outcome, delivered } = await request(type, reply)
      assert.deepEqual([outcome, delivered?.url], ['succeeded', PAGE])
    })

    it(`that ${type} refuses fails with its words, without the token even where they hold it`, async () => {
      const { outcome, error } = await request(type, () => ({ status: 403, body: { message: `no, ${TOKEN}` } }))
      assert.deepEqual([outcome, error?.category], ['failed', 'git'])
      assert.match(error?.message ?? '', /answered 403 .*may not write.*no, /)
    })
  }

  it('that GitHub refuses with the code of a double, for another reason, fails', async () => {
    const reply = ({ method }: HostCall): HostReply =>
      method === 'GET' ? { status: 200, body: [] } : { status: 422, body: { message: 'head is invalid' } }
    assert.match((await request('GitHub', reply)).error?.message ?? '', /answered 422: .*head is invalid/)
  })

  for (const trust of ['project', 'installation'] as const)
    it(`is asked for by the proxy that alone leads out, of a host whose authority the ${trust} names`, async () => {
      const pair = aCertificate('git.invalid')
      const { item } = HOSTS.Gitea
      host = await openStandIn(
        () => ({ status: 200, body: [item] }),
        gitHandler(join(root, 'git'), 'robot', TOKEN),
        pair,
      )
      const proxy = await startConnectProxy({ 'git.invalid:443': Number(new URL(host.origin).port) })
      try {
        writeFileSync(join(root, 'ca.crt'), pair.certificate)
        const commit = remote.git('rev-parse', 'slipway/demo')
        const env = {
          HTTPS_PROXY: proxy.url,
          ...(trust === 'installation' && { NODE_EXTRA_CA_CERTS: join(root, 'ca.crt') }),
        }
        const execution = makeExecution(
          root,
          { path: 'https://git.invalid/acme/remote.git' },
          '',
          {
            delivery: { kind: 'PullRequest', branch: 'slipway/demo', commit, title: 'Do it', host: { type: 'Gitea' } },
            gitCredentialsDir: join(root, 'secret'),
            gitHost: 'git.invalid',
            ...(trust === 'project' && { gitCaBundle: pair.certificate }),
          },
          env,
        )
        await execution.step('deliver')
        const { delivered, error } = execution.result()
        assert.deepEqual([delivered?.url, error], [PAGE, undefined])
        assert.deepEqual([...new Set(proxy.asked)], ['git.invalid:443'])
      } finally {
        await proxy.close()
      }
    })

  it('is not asked for where the branch has nothing new', async () => {
    remote.git('update-ref', 'refs/heads/slipway/demo', 'main')
    const { outcome, calls } = await request('GitHub', () => ({ status: 500, body: {} }))
    assert.deepEqual([outcome, calls], ['succeeded', []])
  })

  it('is not asked for where somebody has pushed since the review: no call is made, and the diff is what it is now', async () => {
    reviewed = remote.git('rev-parse', 'slipway/demo')
    const pushed = remote.commit('slipway/demo', { c: '1' })
    const { outcome, error, head, changes, calls } = await request('GitHub', () => ({ status: 500, body: {} }))
    assert.deepEqual([outcome, head, changes?.files, calls], ['failed', pushed, 2, []])
    assert.match(
      error?.message ?? '',
      new RegExp(`is at ${pushed.slice(0, 12)}, but ${reviewed.slice(0, 12)} was reviewed`),
    )
  })

  it('never has its token sent where a redirect leads', async () => {
    const other = await openStandIn(() => ({ status: 200, body: [] }))
    try {
      const headers = { Location: `${other.origin}/` }
      const { outcome } = await request('GitHub', () => ({ status: 302, body: {}, headers }))
      assert.deepEqual([outcome, other.calls], ['failed', []])
    } finally {
      await other.close()
    }
  })

  for (const [when, page] of [
    ['asked', () => ({ status: 200, body: '<html>Sign in</html>' })],
    ['made', ({ method }) => ({ status: 200, body: method === 'GET' ? [] : '<html>Sign in</html>' })],
    ['made, in JSON', ({ method }) => ({ status: 200, body: method === 'GET' ? [] : {} })],
  ] as const satisfies readonly (readonly [string, (call: HostCall) => HostReply])[])
    it(`does not count as delivered where a page to sign in answers when it is ${when}`, async () => {
      const { outcome, error, delivered } = await request('GitHub', page)
      assert.deepEqual([outcome, error?.category, delivered], ['failed', 'git', undefined])
      assert.match(error?.message ?? '', /answered with a page in place of JSON|names no pull request/)
    })

  for (const status of [301, 307, 308])
    it(`of a repository that was renamed is made where the host has it now (${status})`, async () => {
      const reply = ({ method, url }: HostCall): HostReply => {
        if (!url.startsWith('/repositories/7/')) {
          return { status, body: {}, headers: { Location: `/repositories/7/pulls${new URL(url, 'http://h').search}` } }
        }
        return method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { html_url: PAGE } }
      }
      const { delivered, calls } = await request('GitHub', reply)
      assert.equal(delivered?.url, PAGE)
      assert.deepEqual([calls.at(-1)?.method, calls.at(-1)?.body], ['POST', HOSTS.GitHub.body])
    })

  it('fails where redirects have no end', async () => {
    const { error } = await request('GitHub', () => ({ status: 308, body: {}, headers: { Location: '/again' } }))
    assert.match(error?.message ?? '', /redirects more than 3 times/)
  })

  for (const [how, reply] of [
    ['a header', { status: 403, body: {}, headers: { 'X-RateLimit-Remaining': '0' } }],
    ['a time to wait', { status: 403, body: {}, headers: { 'Retry-After': '60' } }],
    ['its words', { status: 403, body: { message: 'You have exceeded a secondary rate limit' } }],
    ['its status', { status: 429, body: {} }],
  ] as const satisfies readonly (readonly [string, HostReply])[])
    it(`that a rate limit refuses, told by ${how}, says so and nothing of missing rights`, async () => {
      const { error } = await request('GitHub', () => reply)
      assert.equal(error?.category, 'git')
      assert.match(error?.message ?? '', /its rate limit is reached.*tried again by itself/)
      assert.doesNotMatch(error?.message ?? '', /may not write/)
    })

  it('is refused before any call when the Secret is for another host', async () => {
    const { error, calls } = await request('GitHub', () => ({ status: 200, body: [] }), { gitHost: 'git.example.com' })
    assert.deepEqual([error?.category, calls], ['credentials', []])
    assert.match(error?.message ?? '', /Secret is for git\.example\.com/)
  })

  it('needs a token, and says where it goes', async () => {
    writeFileSync(join(root, 'secret', 'password'), '')
    const { error, calls } = await request('GitHub', () => ({ status: 200, body: [] }))
    assert.deepEqual([error?.category, calls], ['credentials', []])
    assert.match(error?.message ?? '', /basic-auth Secret.*git\.secretName/)
  })

  it('gives no link that is none of the web', async () => {
    const item = { html_url: 'javascript:alert(1)' }
    const { delivered } = await request('GitHub', () => ({ status: 200, body: [item] }))
    assert.equal(delivered?.url, undefined)
  })
})
