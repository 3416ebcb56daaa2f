import assert from 'node:assert/strict'
import { claimAgentReady, credentialsState, notReadyReason } from '../../../core/agent/readiness.ts'
import type { Agent } from '../../../core/crd/types.ts'
import { claimConditions } from '../../../core/conditions.ts'
import { anAgent, text } from '../../helpers/build.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const CLUSTER = { isolation: 'container', allowUnsandboxed: false, embedded: false } as const
const withSecret = { credentials: { secretName: 's', env: [{ name: 'A', key: 'a' }] } }
const drained = { since: '2026-01-01T00:00:00Z', reason: text('three failures') }

/** The agent as it is stored once the operator has looked at it. */
function checked(agent: Agent, missingCredentials?: string): Agent {
  const status = agent.status ?? {}
  const claim = claimAgentReady(agent, status, { installation: CLUSTER, missingCredentials })
  return { ...agent, status: { ...status, ...claimConditions(agent, [claim], NOW) } }
}

describe('whether an agent can take work', () => {
  const onHost = { credentials: { files: [{ path: '.config', hostPath: '/home/me/.config' }] } }
  const cases: readonly [string, Agent, string | undefined, string][] = [
    ['a file of the machine in a cluster', anAgent({ spec: onHost }), undefined, 'Stalled True HostPath'],
    ['missing credentials', anAgent({ spec: withSecret }), 'Secret s lacks a', 'Ready False CredentialsMissing'],
    [
      'both missing credentials and a drain',
      anAgent({ status: { drained } }),
      'gone',
      'Ready False CredentialsMissing',
    ],
    ['a drain', anAgent({ status: { drained } }), undefined, 'Ready False Drained'],
    ['nothing', anAgent(), undefined, 'Ready True AcceptsWork'],
  ]
  for (const [what, agent, missing, expected] of cases) {
    it(`is said as ${expected} where ${what} is found`, () => {
      const [condition] = checked(agent, missing).status?.conditions ?? []
      assert.equal([condition?.type, condition?.status, condition?.reason].join(' '), expected)
    })
  }

  it('is not denied by the condition of a drain, which may have been lifted since', () => {
    assert.equal(notReadyReason(checked(anAgent({ status: { drained } }))), undefined)
    assert.equal(notReadyReason(checked(anAgent({ spec: withSecret }), 'Secret s lacks a')), 'Secret s lacks a')
    assert.notEqual(notReadyReason(checked(anAgent({ spec: onHost }))), undefined)
  })

  it('tells of credentials only once somebody has looked', () => {
    const agent = anAgent({ spec: withSecret })
    assert.equal(credentialsState(anAgent()), 'none')
    assert.equal(credentialsState(agent), 'unknown')
    assert.equal(credentialsState(checked(agent, 'Secret s lacks a')), 'missing')
    assert.equal(credentialsState(checked(agent)), 'present')
    assert.equal(credentialsState(checked({ ...agent, status: { drained } })), 'present')
    assert.equal(credentialsState(checked(anAgent({ spec: { ...onHost } }))), 'unknown')
  })
})
