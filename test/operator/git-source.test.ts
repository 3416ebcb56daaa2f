import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Secret } from '../../kube/builtin.ts'
import { PROJECTS, SECRETS } from '../../kube/resources.ts'
import { type WantedRepository, findGitSource, mirrorKey } from '../../operator/execution/git-source.ts'
import { syncProject } from '../../operator/project/controller.ts'
import { aProject, NAMESPACE } from '../helpers/build.ts'
import { aCertificate } from '../helpers/certificate.ts'
import { type World, openWorld } from './world.ts'

const URL = 'https://git.example/repo.git'

describe('the repository of a task', () => {
  let world: World
  beforeEach(async () => void (world = await openWorld()))
  afterEach(() => world.close())

  const secret = (name: string, parts: Partial<Secret['metadata']> = {}, data: Secret['data'] = { password: 'eA==' }) =>
    world.kube.put(SECRETS, {
      metadata: {
        name,
        namespace: NAMESPACE,
        labels: { 'slipway.dev/usable-by': 'git' },
        annotations: { 'slipway.dev/git-host': 'git.example' },
        ...parts,
      },
      type: 'kubernetes.io/basic-auth',
      data,
    })
  /** What a source says of a Secret. */
  const naming = (name: string, host = 'git.example') => {
    const { uid = '', resourceVersion } =
      world.kube.all(SECRETS).find(({ metadata }) => metadata.name === name)?.metadata ?? {}
    return { name, host, version: `${uid}/${resourceVersion}` }
  }
  const find = (wanted: Partial<WantedRepository> = {}) =>
    findGitSource(world.context, { namespace: NAMESPACE, url: URL, project: undefined, ...wanted })

  it("is the task's own, else its project's, else refused in the contract's words", async () => {
    const project = aProject({ spec: { remoteUrl: 'https://git.example/other.git' } })
    const sources = await Promise.all([find({ project }), find({ url: undefined, project }), find({ url: undefined })])
    assert.deepEqual(sources, [
      { kind: 'usable', url: URL },
      { kind: 'usable', url: 'https://git.example/other.git' },
      { kind: 'refused', error: { category: 'no_repository', message: 'task has no repository_url' } },
    ])
  })

  it('is cloned with the Secret of its project, and of a project with the same URL', async () => {
    secret('named')
    const project = aProject({ spec: { remoteUrl: URL, git: { secretName: 'named' } } })
    const expected = { kind: 'usable', url: URL, secret: naming('named') }
    assert.deepEqual(await find({ project }), expected)
    world.kube.put(PROJECTS, project)
    assert.deepEqual(await find(), expected)
  })

  it('is cloned with the default Secret of its host, never with one of another host', async () => {
    secret('other', { annotations: { 'slipway.dev/git-host': 'elsewhere.example' } })
    assert.deepEqual(await find(), { kind: 'usable', url: URL })
    secret('b-default')
    secret('a-default')
    assert.deepEqual(await find(), { kind: 'usable', url: URL, secret: naming('a-default') })
  })

  it('is cloned without credentials in a cluster unless a project names them, whatever Secrets there are for its host', async () => {
    const context = { ...world.context, settings: { ...world.context.settings, embedded: false } }
    secret('a-default')
    const wanted = { namespace: NAMESPACE, url: URL }
    const nobodys = aProject({ spec: { remoteUrl: URL } })
    for (const project of [undefined, nobodys])
      assert.deepEqual(await findGitSource(context, { ...wanted, project }), { kind: 'usable', url: URL })
    const project = aProject({ spec: { remoteUrl: URL, git: { secretName: 'a-default' } } })
    const secretOf = naming('a-default')
    assert.deepEqual(await findGitSource(context, { ...wanted, project }), {
      kind: 'usable',
      url: URL,
      secret: secretOf,
    })
  })

  it('is cloned in a cluster without the Secret of a project that the task does not name', async () => {
    const context = { ...world.context, settings: { ...world.context.settings, embedded: false } }
    secret('named')
    world.kube.put(PROJECTS, aProject({ spec: { remoteUrl: URL, git: { secretName: 'named' } } }))
    const wanted = { namespace: NAMESPACE, url: URL, project: undefined }
    assert.deepEqual(await findGitSource(context, wanted), { kind: 'usable', url: URL })
  })

  it('is cloned in a cluster with the Secret that the configuration names for its host, unless its project names another', async () => {
    const gitCredentials = [
      { host: 'elsewhere.example', secretName: 'of-another-host' },
      { host: 'https://git.example', secretName: 'configured' },
    ]
    const context = { ...world.context, settings: { ...world.context.settings, embedded: false }, gitCredentials }
    const wanted = { namespace: NAMESPACE, url: URL, project: undefined }
    const refusal = async () => {
      const source = await findGitSource(context, wanted)
      return source.kind === 'refused' ? source.error.message : 'not refused'
    }
    assert.equal(await refusal(), 'Secret configured does not exist')
    secret('configured', { labels: {} })
    assert.equal(await refusal(), 'Secret configured is not for git: label it slipway.dev/usable-by=git')
    secret('configured', { annotations: { 'slipway.dev/git-host': 'other.example' } })
    assert.match(await refusal(), /configured is for other\.example .* gitCredentials .* for https:\/\/git\.example/)
    secret('configured')
    secret('named')
    const usable = (name: string) => ({ kind: 'usable', url: URL, secret: naming(name) })
    assert.deepEqual(await findGitSource(context, wanted), usable('configured'))
    const project = aProject({ spec: { remoteUrl: URL, git: { secretName: 'named' } } })
    assert.deepEqual(await findGitSource(context, { ...wanted, project }), usable('named'))
    const url = 'http://git.example/repo.git'
    assert.deepEqual(await findGitSource(context, { ...wanted, url }), { kind: 'usable', url })
  })

  it('is cloned with the default of its own port alone; a Secret that names none is for the port of the scheme', async () => {
    const url = 'https://git.example:8443/repo.git'
    secret('usual')
    assert.deepEqual(await find({ url }), { kind: 'usable', url })
    secret('special', { annotations: { 'slipway.dev/git-host': 'https://git.example:8443' } })
    const host = 'https://git.example:8443'
    assert.deepEqual(await find({ url }), { kind: 'usable', url, secret: naming('special', host) })
    const project = aProject({ spec: { remoteUrl: url, git: { secretName: 'usual' } } })
    const source = await find({ url, project })
    assert.equal(
      source.kind === 'refused' && source.error.message,
      'Secret usual is for port 443 of git.example, and the repository is at port 8443: name it as git.example:8443 (slipway.dev/git-host)',
    )
  })

  const unfit: [string, () => unknown, RegExp][] = [
    ['does not exist', () => undefined, /Secret named does not exist/],
    ['is not for git', () => secret('named', { labels: { 'slipway.dev/usable-by': 'agent' } }), /not for git/],
    ['names no host', () => secret('named', { annotations: {} }), /names no host/],
    ['lacks its key', () => secret('named', {}, {}), /lacks password/],
  ]
  for (const [title, given, message] of unfit) {
    it(`is refused when its Secret ${title}, and the project says so`, async () => {
      given()
      const project = world.kube.put(PROJECTS, aProject({ spec: { remoteUrl: URL, git: { secretName: 'named' } } }))
      const source = await find({ project })
      assert.ok(source.kind === 'refused' && source.error.category === 'credentials')
      assert.match(source.error.message, message)
      await syncProject(world.context, { namespace: NAMESPACE, name: 'project-a' })
      const [condition] = world.kube.all(PROJECTS)[0]?.status?.conditions ?? []
      assert.deepEqual([condition?.type, condition?.status], ['Ready', 'False'])
      assert.match(condition?.message ?? '', message)
    })
  }

  describe('with authorities of its own', () => {
    const caBundle = aCertificate('git.example').certificate
    const given = (bundle: string) =>
      aProject({ spec: { remoteUrl: 'https://git.example/other.git', git: { caBundle: bundle } } })

    it('trusts them at the host of its project, with or without a Secret, and at no other', async () => {
      const project = given(caBundle)
      assert.deepEqual(await find({ project }), { kind: 'usable', url: URL, caBundle })
      secret('default')
      const expected = { kind: 'usable', url: URL, secret: naming('default'), caBundle }
      assert.deepEqual(await find({ project }), expected)
      const url = 'https://elsewhere.example/repo.git'
      assert.deepEqual(await find({ project, url }), { kind: 'usable', url })
    })

    const bad: [string, () => string, RegExp][] = [
      ['no certificate', () => 'PEM', /^git\.caBundle of project project-a holds no certificate in PEM form$/],
      ['one that cannot be read', () => caBundle.replace(/M../, 'AAA'), /cannot be read, number 1$/],
      ['a private key', () => `${caBundle}-----BEGIN PRIVATE KEY-----\n`, /holds a private key/],
    ]
    for (const [what, bundle, message] of bad) {
      it(`is refused when they are ${what}`, async () => {
        const source = await find({ project: given(bundle()) })
        assert.ok(source.kind === 'refused' && source.error.category === 'git')
        assert.match(source.error.message, message)
      })
    }
  })

  describe('of the user', () => {
    const url = 'https://unknown.example.com/x.git'
    const user = () => ({ home: world.volumeRoot, env: { SSH_AUTH_SOCK: '/nowhere/agent' } })
    const findAsUser = (embedded: boolean) => {
      const context = { ...world.context, gitUser: user(), settings: { ...world.context.settings, embedded } }
      return findGitSource(context, { namespace: NAMESPACE, url, project: undefined })
    }

    it('is what of their git is there, where no Secret is for the host', async () => {
      writeFileSync(join(world.volumeRoot, '.gitconfig'), '')
      const own = { home: world.volumeRoot, paths: [join(world.volumeRoot, '.gitconfig')], env: {} }
      assert.deepEqual(await findAsUser(true), { kind: 'usable', url, own })
    })

    it('is nothing in a cluster', async () => {
      assert.deepEqual(await findAsUser(false), { kind: 'usable', url })
    })
  })

  it('is no local path in a cluster', async () => {
    const context = { ...world.context, settings: { ...world.context.settings, embedded: false } }
    const source = await findGitSource(context, { namespace: NAMESPACE, url: world.volumeRoot, project: undefined })
    assert.ok(source.kind === 'refused' && source.error.category === 'git')
  })

  it('is the folder that a link leads to, since that is what a step mounts', async () => {
    const source = await find({ url: `file://${world.volumeRoot}` })
    assert.deepEqual(source, { kind: 'usable', url: world.volumeRoot, localPaths: [world.volumeRoot] })
  })

  describe('names the mirrors of', () => {
    const keyOf = async (wanted: Partial<WantedRepository> = {}): Promise<string | undefined> => {
      const source = await find(wanted)
      return source.kind === 'usable'
        ? mirrorKey(source, wanted.namespace ?? NAMESPACE)
        : assert.fail(source.error.message)
    }

    it('one repository, read without credentials, for one namespace', async () => {
      const [one, again, elsewhere, other] = [
        await keyOf(),
        await keyOf(),
        await keyOf({ namespace: 'elsewhere' }),
        await keyOf({ url: 'https://git.example/other.git' }),
      ]
      assert.match(one ?? '', /^[0-9a-f]{32}$/)
      assert.equal(again, one)
      assert.equal(new Set([one, elsewhere, other]).size, 3)
    })

    it('one Secret until it changes: a weaker login must not read what the former one fetched', async () => {
      const without = await keyOf()
      secret('default')
      const [first, again] = [await keyOf(), await keyOf()]
      secret('default', {}, { password: 'eQ==' })
      assert.equal(again, first)
      assert.equal(new Set([without, first, await keyOf()]).size, 3)
    })

    it('the user, whoever else reads the repository without credentials', async () => {
      const source = { kind: 'usable', url: URL } as const
      const own = { home: '/home/me', paths: [], env: {} }
      assert.notEqual(mirrorKey({ ...source, own }, NAMESPACE), mirrorKey(source, NAMESPACE))
      assert.equal(mirrorKey({ ...source, own }, NAMESPACE), mirrorKey({ ...source, own }, 'elsewhere'))
    })

    it('nobody whose password or token stands in the URL, and of no repository where there is none', () => {
      for (const login of ['me:pw', 'ghp_token', ':pw'])
        assert.equal(mirrorKey({ kind: 'usable', url: `https://${login}@git.example/repo.git` }, NAMESPACE), undefined)
      assert.equal(mirrorKey({ kind: 'usable', url: '' }, NAMESPACE), undefined)
    })
  })
})
