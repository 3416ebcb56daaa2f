import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { makeAgentConfig } from '../../../core/agent/agent-config.ts'
import type { McpServer } from '../../../core/crd/types.ts'

const agent = { adapter: 'claude' } as const
const server = (name: string, rest: Partial<McpServer> = {}): McpServer => ({ name, command: name, ...rest })

describe('what configures a CLI beside its prompt', () => {
  it("is the Agent's instructions, and the Project's after them", () => {
    const both = { agent: { ...agent, instructions: 'One.\n' }, project: { instructions: ' Two.' }, isWork: true }
    assert.equal(makeAgentConfig(both).agentConfig.instructions, 'One.\n\nTwo.\n')
    const none = { agent: { ...agent, instructions: ' \n' }, project: {}, isWork: true }
    assert.deepEqual(makeAgentConfig(none), { agentConfig: { schemaVersion: 1, mcpServers: [] }, secrets: [] })
  })

  it("is the servers of both; of one name the Project's", () => {
    const mcpServers = [server('a'), server('b', { args: ['of the agent'] })]
    const project = { mcpServers: [server('b', { args: ['of the project'] })] }
    const { agentConfig } = makeAgentConfig({ agent: { ...agent, mcpServers }, project, isWork: true })
    assert.deepEqual(
      agentConfig.mcpServers.map(({ name, args }) => [name, args]),
      [
        ['a', undefined],
        ['b', ['of the project']],
      ],
    )
  })

  it('is instructions alone for executions that only look', () => {
    const sources = { agent: { ...agent, instructions: 'x', mcpServers: [server('a')] }, project: undefined }
    const { agentConfig, secrets } = makeAgentConfig({ ...sources, isWork: false })
    assert.deepEqual([agentConfig.instructions, agentConfig.mcpServers, secrets], ['x\n', [], []])
  })

  it('is nothing for a script, which must not fail for want of a key', () => {
    const project = { instructions: 'x', mcpServers: [server('a', { env: [{ name: 'A', key: 'k' }] })] }
    const { agentConfig, secrets } = makeAgentConfig({ agent: { adapter: 'script' }, project, isWork: true })
    assert.deepEqual([agentConfig.instructions, agentConfig.mcpServers, secrets], [undefined, [], []])
  })

  it('names for each secret a variable of its own, and takes each key once', () => {
    const keys = fc.array(fc.constantFrom('k', 'l', 'm'), { maxLength: 5 })
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 4 }), (lists) => {
        const mcpServers = lists.map((list, n) =>
          server(`s${n}`, { env: list.map((key, i) => ({ name: `V${i}`, key })), headers: [{ name: 'H', key: 'h' }] }),
        )
        const { agentConfig, secrets } = makeAgentConfig({
          agent: { ...agent, mcpServers },
          project: undefined,
          isWork: true,
        })
        assert.equal(new Set(secrets.map(({ key }) => key)).size, secrets.length)
        assert.equal(new Set(secrets.map(({ name }) => name)).size, secrets.length)
        agentConfig.mcpServers.forEach(({ env = [], headers = [] }, n) => {
          const named = [...env, ...headers].map(({ from }) => secrets.find(({ name }) => name === from)?.key)
          assert.deepEqual(named, [...(lists[n] ?? []), 'h'])
        })
      }),
    )
  })
})
