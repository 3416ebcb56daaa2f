// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { PROJECTS } from '../../../kube/resources.ts'
import { aProject, aStory, aTask } from '../../helpers/build.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { type Rig, idsOf, startRig } from '../rig.ts'

const EVERYTHING = {
  id: 'whole',
  name: 'Whole',
  remote_url: 'https://git.example/whole.git',
  local_path: '/srv/whole',
  default_branch: 'trunk',
  checkout: {
    depth: 50,
    filter: 'blob:limit=1m',
    sparse: ['services/shop', 'docs'],
    submodules: 'shallow',
    lfs: 'fetch',
    borrow: false,
  },
  container_image: 'registry.example/whole:1',
  test_command: 'make test',
  checks: [{ name: 'test', run: 'make test', timeout_seconds: 90, required: false, image: 'node:22' }],
  max_check_rounds: 1,
  protected_paths: ['/test/'],
  instructions: 'Write tests.\n',
  mcp_servers: [{ name: 'wiki', url: 'https://wiki.example/mcp', headers: [{ name: 'X-Team', value: 'a' }] }],
  run_policy: 'auto',
  deployment: { commit_url: 'https://whole.example/commit' },
  git: { secret_name: 'whole-git' },
  on_accept: 'merge',
  host: { type: 'gitea', api_url: 'https://git.example/api/v1' },
}

describe('projects over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('takes every field on create, answers with Location and entity tag, and gives every field back', async () => {
    const created = await api.post('/api/projects', EVERYTHING)
    assert.deepEqual([created.status, created.headers.get('location')], [201, '/api/projects/whole'])
    const { body, headers } = await api.get('/api/projects/whole')
    assert.deepEqual(body, { ...EVERYTHING, created_at: textAt(body, 'created_at') })
    assert.equal(headers.get('etag'), created.headers.get('etag'))
    assert.notEqual(headers.get('etag'), null)
  })

  it('needs a name and a remote URL, and makes an id and run_policy manual where none is given', async () => {
    for (const [body, field] of [
      [{ remote_url: 'https://git.example/a.git' }, 'name'],
      [{ name: 'A' }, 'remote_url'],
    ] as const) {
      const { status, body: answer } = await api.post('/api/projects', body)
      assert.deepEqual([status, textAt(answer, 'error')], [400, `${field}: is required`])
    }
    const { body } = await api.post('/api/projects', { name: 'A', remote_url: 'https://git.example/a.git' })
    assert.match(textAt(body, 'id'), /^project-[a-z0-9]+$/)
    assert.equal(at(body, 'run_policy'), 'manual')
  })

  it('refuses unknown fields by their names, also inside git and deployment', async () => {
    for (const [extra, field] of [
      [{ colour: 'red' }, 'colour'],
      [{ git: { secretName: 'x' } }, 'git.secretName'],
      [{ deployment: { url: 'x' } }, 'deployment.url'],
    ] as const) {
      const refused = await api.post('/api/projects', { ...EVERYTHING, id: 'odd', ...extra })
      assert.deepEqual([refused.status, textAt(refused.body, 'error')], [400, `${field}: unknown field`])
      assert.equal((await api.put('/api/projects/whole', extra)).status, 400)
    }
  })

  it('answers 409 for an id that is taken, and 400 for a URL that git would take for an option', async () => {
    assert.equal((await api.post('/api/projects', EVERYTHING)).status, 409)
    for (const remote_url of ['--upload-pack=touch', 'ext::sh -c true']) {
      const { status, body } = await api.post('/api/projects', { name: 'bad', remote_url })
      assert.equal(status, 400, remote_url)
      assert.match(textAt(body, 'error'), /remote_url/)
    }
  })

  it('refuses an address of an API that is no URL, and takes each that is one', async () => {
    const create = (name: string, api_url: string) =>
      api.post('/api/projects', { name, remote_url: 'https://git.example/a.git', host: { type: 'gitea', api_url } })
    for (const url of ['git.example', 'https://', 'https:///', 'https://git.example:port', 'https://git example/api']) {
      const { status, body } = await create('bad', url)
      assert.equal(status, 400, url)
      assert.match(textAt(body, 'error'), /^host\.api_url: .*such as https:\/\/git\.example\.com\/api\/v4/)
    }
    for (const [n, url] of [
      'http://localhost:3000',
      'https://[::1]:8443/api/v1/',
      'https://bücher.example/x',
    ].entries())
      assert.equal((await create(`api-${n}`, url)).status, 201, url)
  })

  it('merges a PUT, clears with null, and refuses one that rests on an older version', async () => {
    await api.givenProject(aProject({ name: 'edited', spec: { testCommand: 'old', git: { secretName: 's' } } }))
    const tag = (await api.get('/api/projects/edited')).headers.get('etag') ?? ''
    const patch = { test_command: null, git: { secret_name: null }, default_branch: 'next' }
    const changed = await api.put('/api/projects/edited', patch, { 'If-Match': tag })
    assert.equal(changed.status, 200)
    assert.deepEqual(
      [at(changed.body, 'test_command'), at(changed.body, 'git'), at(changed.body, 'default_branch')],
      [undefined, {}, 'next'],
    )
    const stale = await api.put('/api/projects/edited', { default_branch: 'other' }, { 'If-Match': tag })
    assert.equal(stale.status, 412)
    assert.match(
      textAt(stale.body, 'error'),
      /since it was read, in default_branch, git, test_command: it is at version /,
    )
    const unknown = await api.put('/api/projects/edited', { default_branch: 'other' }, { 'If-Match': '"1"' })
    assert.match(textAt(unknown.body, 'error'), /edited has changed since it was read: it is at version [\w-]+ now$/)
    const whole = await api.put('/api/projects/edited', changed.body)
    assert.deepEqual([whole.status, whole.body], [200, changed.body])
    const moved = await api.put('/api/projects/edited', { created_at: '2020-01-01T00:00:00Z' })
    assert.deepEqual([moved.status, at(moved.body, 'error')], [400, 'created_at is read-only'])
    assert.equal((await api.put('/api/projects/edited', { name: null })).status, 400)
  })

  it('merges what a clone holds member by member, and names the field of it that is refused', async () => {
    const checkout = { depth: 1, sparse: ['a', 'b'], lfs: 'fetch' }
    await api.post('/api/projects', { id: 'parts', name: 'Parts', remote_url: 'https://git.example/p.git', checkout })
    const put = async (change: object) => api.put('/api/projects/parts', { checkout: change })
    const merged = await put({ depth: null, sparse: ['c'], submodules: 'full' })
    assert.deepEqual(at(merged.body, 'checkout'), { sparse: ['c'], submodules: 'full', lfs: 'fetch' })
    for (const [change, words] of [
      [{ depth: 0 }, /^checkout\.depth: /],
      [
        { sparse: ['../up'] },
        /^checkout\.sparse\[0\]: sparse must not have an empty part, \., \.\. or \.git in a path$/,
      ],
      [{ sparse: ['a', 'a'] }, /^checkout\.sparse: /],
      [{ filter: 'tree:7' }, /^checkout\.filter: must be blob:none, tree:0 or blob:limit/],
      [{ submodules: 'Full' }, /^checkout\.submodules: /],
      [{ borrow: true, depth: 2 }, /^checkout: borrow cannot be true beside depth or filter/],
    ] as const) {
      const { status, body } = await put(change)
      assert.equal(status, 400, JSON.stringify(change))
      assert.match(textAt(body, 'error'), words)
    }
    assert.equal(at((await api.put('/api/projects/parts', { checkout: null })).body, 'checkout'), undefined)
  })

  it('keeps what REST does not show when it changes', async () => {
    await api.givenProject(aProject({ name: 'trusted', spec: { git: { caBundle: 'PEM' } } }))
    const { body } = await api.put('/api/projects/trusted', { git: { secret_name: 'git' } })
    assert.deepEqual(at(body, 'git'), { secret_name: 'git' })
    const stored = await api.client.get(PROJECTS, { namespace: api.namespace, name: 'trusted' })
    assert.deepEqual(stored.spec.git, { secretName: 'git', caBundle: 'PEM' })
  })

  it('is not deleted while a task or a story refers to it, and the answer names them', async () => {
    await api.givenProject(aProject({ name: 'used' }))
    await api.given(aTask({ name: 'user', spec: { project: 'used' } }))
    await api.givenStory(aStory({ name: 'tale', spec: { projectId: 'used' } }))
    const expected = { error: 'project used cannot be deleted: story tale, task user refer to it' }
    await until('both are named', async () => {
      const { status, body } = await api.delete('/api/projects/used')
      assert.equal(status, 409)
      return textAt(body, 'error') === expected.error
    })
  })

  it('is gone at once when deleted, and a second delete answers 404', async () => {
    await api.givenProject(aProject({ name: 'spare' }))
    assert.equal((await api.delete('/api/projects/spare')).status, 204)
    assert.equal((await api.get('/api/projects/spare')).status, 404)
    assert.equal((await api.delete('/api/projects/spare')).status, 404)
    assert.equal(await api.client.find(PROJECTS, { namespace: api.namespace, name: 'spare' }), undefined)
  })

  it('lists in pages that together are the whole list', async () => {
    for (const n of [1, 2, 3]) await api.givenProject(aProject({ name: `page-${n}` }))
    const whole = idsOf((await api.get('/api/projects')).body)
    const paged: unknown[] = []
    for (let path: string | undefined = '/api/projects?limit=2'; path !== undefined;) {
      const { body, headers } = await api.get(path)
      paged.push(...idsOf(body))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(paged, whole)
    assert.ok(whole.length > 3)
    assert.equal((await api.get('/api/projects?cursor=%21')).status, 400)
  })

  it('shows its manifest with the events that name it, and without managed fields', async () => {
    const { status, headers, text } = await api.get('/api/projects/whole/manifest')
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/yaml; charset=utf-8'])
    assert.match(text, /^apiVersion: slipway.dev\/v1alpha1\nkind: Project\n/)
    assert.match(text, /^# Events: none$/m)
    assert.doesNotMatch(text, /managedFields|# Pod/)
  })

  it('refuses a default branch that is none, or that is in the way of those of tasks', async () => {
    for (const branch of ['ma in', 'HEAD', 'a..b', 'refs/heads/main', 'slipway', 'slipway/x']) {
      const body = { name: 'Base', remote_url: 'https://git.example/base.git', default_branch: branch }
      const refused = await api.post('/api/projects', body)
      assert.equal(refused.status, 400, branch)
      assert.match(textAt(refused.body, 'error'), /^default_branch: must not /)
    }
  })
})

describe('projects over REST in a cluster', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ embedded: false })
  })
  after(() => api.stop())

  const create = (fields: object) =>
    api.post('/api/projects', { name: 'A', remote_url: 'https://git.example/a.git', ...fields })

  it('take a local path below the workspace root only', async () => {
    assert.equal((await create({ id: 'inside', local_path: join(api.workspaceRoot, 'a') })).status, 201)
    for (const local_path of ['/etc', api.workspaceRoot, `${api.workspaceRoot}/../other`, `${api.workspaceRoot}-2`]) {
      const { status, body } = await create({ local_path })
      assert.deepEqual([status, textAt(body, 'error').startsWith('local_path: ')], [400, true], local_path)
      assert.equal((await api.put('/api/projects/inside', { local_path })).status, 400, local_path)
    }
  })

  it('take no path for a remote', async () => {
    for (const remote_url of ['/srv/git/a.git', 'file:///srv/git/a.git']) {
      const { status, body } = await create({ remote_url })
      assert.deepEqual([status, textAt(body, 'error').startsWith('remote_url: ')], [400, true], remote_url)
    }
  })
})
