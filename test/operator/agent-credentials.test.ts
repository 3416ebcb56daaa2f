import assert from 'node:assert/strict'
import type { Agent } from '../../core/crd/types.ts'
import { AGENTS, SECRETS, TASKS } from '../../kube/resources.ts'
import { syncAgent } from '../../operator/agent/controller.ts'
import { findMissingCredentials } from '../../operator/execution/credentials.ts'
import { aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

const address = (name: string) => ({ credentials: { secretName: 'login', env: [{ name, key: 'url' }] } })

describe("the condition of an agent's credentials", () => {
  const key = { namespace: NAMESPACE, name: 'script' }
  const credentials = { secretName: 'login', env: [{ name: 'API_KEY', key: 'api-key' }] }
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    world.kube.put(AGENTS, anAgent({ spec: { credentials } }))
  })
  afterEach(() => world.close())

  const sync = async (): Promise<readonly [string | undefined, number | undefined]> => {
    const requeueAt = await syncAgent(world.context, key)
    const [condition] = world.kube.all(AGENTS)[0]?.status?.conditions ?? []
    const wait = requeueAt === undefined ? undefined : requeueAt.getTime() - world.clock.now().getTime()
    return [condition && `${condition.reason}: ${condition.message}`, wait]
  }
  const putSecret = (data: Record<string, string>) => {
    const labels = { 'slipway.dev/usable-by': 'agent' }
    world.kube.put(SECRETS, { metadata: { name: 'login', namespace: NAMESPACE, labels }, data })
  }

  it('names what is missing, and follows the Secret as it comes, without a watch', async () => {
    const missing = 'CredentialsMissing: Secret login does not exist: create it with the keys api-key'
    assert.deepEqual(await sync(), [missing, 60_000])
    putSecret({ other: 'eA==' })
    assert.deepEqual(await sync(), ['CredentialsMissing: Secret login lacks api-key', 60_000])
    putSecret({ 'api-key': 'eA==' })
    assert.deepEqual(await sync(), ['AcceptsWork: accepts work', 60_000])
  })

  it('is looked at again no later than the end of a limit', async () => {
    const until = new Date(world.clock.now().getTime() + 5000).toISOString()
    world.kube.put(AGENTS, anAgent({ spec: { credentials }, status: { rateLimitedUntil: until } }))
    assert.equal((await sync())[1], 5000)
  })

  it('tells the owner of the machine, and nobody else, how to log in', async () => {
    const spec = {
      adapter: 'gemini' as const,
      credentials: { files: [{ path: 'x', hostPath: '/nowhere/oauth_creds.json' }] },
    }
    const missing = 'agent script: file /nowhere/oauth_creds.json cannot be read'
    assert.equal(await findMissingCredentials(world.context, anAgent({ spec }), []), missing)
    const ofOwner = anAgent({ spec, metadata: { annotations: { 'slipway.dev/owners-login': 'true' } } })
    assert.equal(
      await findMissingCredentials(world.context, ofOwner, []),
      `${missing}: set GEMINI_API_KEY and start Slipway again, or run gemini and log in`,
    )
  })

  const login = /name one in spec\.credentials, or start Slipway again where it finds its owner's$/
  const without: readonly [string, Partial<Agent['spec']>, RegExp | undefined][] = [
    ['without credentials', { adapter: 'codex' }, /^agent script has no login: /],
    [
      'with an address alone',
      { adapter: 'claude', ...address('ANTHROPIC_BASE_URL') },
      /^agent script has an address \(ANTHROPIC_BASE_URL\) and no login/,
    ],
    ['with an address alone', { adapter: 'gemini', ...address('GOOGLE_GEMINI_BASE_URL') }, /and no login/],
    ['whose image brings its login', { adapter: 'codex', credentials: {} }, undefined],
    ['with a command of its own', { adapter: 'codex', command: ['/opt/wrapper'] }, undefined],
    ['that is a script', {}, undefined],
  ]
  for (const [title, spec, message] of without) {
    it(`${message === undefined ? 'lacks nothing' : 'names the lack of a login'} for an agent ${title}`, async () => {
      const found = await findMissingCredentials(world.context, anAgent({ spec }), [])
      assert.match(found ?? '', message ?? /^$/)
      if (message !== undefined) assert.match(found ?? '', login)
    })
  }

  it('takes an empty value for none', async () => {
    putSecret({ 'api-key': '' })
    assert.deepEqual(await sync(), ['CredentialsMissing: Secret login lacks api-key', 60_000])
  })

  it('keeps tasks that name no agent away from one without a login', async () => {
    const world = await openWorld({ allowUnsandboxed: true })
    try {
      // First by name, and always idle.
      world.kube.put(AGENTS, anAgent({ name: 'bare', spec: { adapter: 'codex' } }))
      world.kube.put(AGENTS, anAgent({ name: 'fit', spec: { adapter: 'codex', credentials: {} } }))
      await syncAgent(world.context, { namespace: NAMESPACE, name: 'bare' })
      world.kube.put(TASKS, aTask({ spec: { agent: {} }, status: { state: 'QUEUED' } }))
      await world.sync()
      const { type, reason } = world.task().status?.agent ?? {}
      assert.equal(type, 'fit')
      assert.match(reason ?? '', /Passed over: bare \(unavailable\)/)
    } finally {
      await world.close()
    }
  })

  it('asks for no second look where there are no credentials', async () => {
    world.kube.put(AGENTS, anAgent())
    assert.deepEqual(await sync(), ['AcceptsWork: accepts work', undefined])
  })
})
