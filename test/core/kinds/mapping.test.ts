import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { AGENT } from '../../../core/kinds/agent.ts'
import { mappingOf, SECONDS, words } from '../../../core/kinds/mapping.ts'
import { PROJECT } from '../../../core/kinds/project.ts'
import { closed, maybe } from '../../../core/schema/fields.ts'

interface Spec {
  readonly title: string
  readonly maxSize?: number
  readonly state?: 'On' | 'Off'
  readonly git?: { readonly secretName?: string; readonly caBundle?: string }
}

const input = closed({
  name: Type.String(),
  max_size: maybe(Type.Integer()),
  state: maybe(Type.Enum(['on', 'off'])),
  git: maybe(closed({ secret_name: maybe(Type.String()) })),
})
const state = words({ On: 'on', Off: 'off' })
const left = { 'git.caBundle': 'manifests alone' }

describe('the mapping of a kind between REST and its CRD', () => {
  it('gives back every field of an agent, through the spec and back', () => {
    const agent = {
      adapter: 'claude' as const,
      command: ['claude', '-p'],
      timeout_seconds: 1.5,
      drops_access: 'read_only' as const,
      prices: { input_per_million: 1, output_per_million: 2 },
      mcp_servers: [{ name: 'm', env: [{ name: 'A_B', key: 'a_b' }] }],
      credentials: { files: [{ path: '.netrc', host_path: '/etc/netrc' }], write_back: false },
      pod_template: {
        labels: { 'cost_center/of-team': 'a_b' },
        tolerations: [{ key: 'gpu', toleration_seconds: 5 }],
        affinity: { nodeAffinity: { snake_case: [] } },
      },
    }
    assert.deepEqual(AGENT.toInput(AGENT.toSpec(agent)), agent)
  })

  it('spells fields as the CRD does, also inside lists, and leaves keys of the user as they are', () => {
    const pod_template = { labels: { a_b: 'c' }, tolerations: [{ toleration_seconds: 5 }] }
    const { timeout, podTemplate } = AGENT.toSpec({ adapter: 'script', timeout_seconds: 90, pod_template })
    assert.deepEqual(
      [timeout, podTemplate],
      ['1m30s', { labels: { a_b: 'c' }, tolerations: [{ tolerationSeconds: 5 }] }],
    )
  })

  it('shows nothing of what REST does not have', () => {
    const spec = { title: 't', remoteUrl: 'u', git: { secretName: 's', caBundle: 'PEM' } }
    assert.deepEqual(PROJECT.toInput(spec), { name: 't', remote_url: 'u', git: { secret_name: 's' } })
  })

  it('compiles only where every field of either side is accounted for, by its name and type', () => {
    mappingOf<Spec>()(input, { name: 'title', state }, left)
    // @ts-expect-error: the CRD has no field `name`
    mappingOf<Spec>()(input, { state }, left)
    // @ts-expect-error: a name that the CRD does not have
    mappingOf<Spec>()(input, { name: 'titel', state }, left)
    // @ts-expect-error: a field of another type
    mappingOf<Spec>()(input, { name: 'maxSize', state }, left)
    // @ts-expect-error: other values than the CRD's
    mappingOf<Spec>()(input, { name: 'title' }, left)
    // @ts-expect-error: words of another enum
    mappingOf<Spec>()(input, { name: 'title', state: words({ On: 'on', None: 'none' }) }, left)
    // @ts-expect-error: nothing is said of git.caBundle
    mappingOf<Spec>()(input, { name: 'title', state }, {})
    // @ts-expect-error: REST has forgotten `extra`
    mappingOf<Spec & { readonly extra?: string }>()(input, { name: 'title', state }, left)
    // @ts-expect-error: the CRD has forgotten `other`
    mappingOf<Spec>()(closed({ ...input.properties, other: Type.Boolean() }), { name: 'title', state }, left)
    // @ts-expect-error: a duration is no number
    mappingOf<{ readonly timeout?: string }>()(closed({ timeout: maybe(Type.Number()) }), {}, {})
    mappingOf<{ readonly timeout?: string }>()(closed({ timeout: maybe(Type.Number()) }), { timeout: SECONDS }, {})
  })
})
