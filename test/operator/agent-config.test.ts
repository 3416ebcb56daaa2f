import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentSpec, ProjectSpec } from '../../core/crd/types.ts'
import { AGENTS, PROJECTS, SECRETS, TASKS } from '../../kube/resources.ts'
import { aProject, aTask, anAgent, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld, readGiven, runSpecOf } from './world.ts'

const wiki = { name: 'wiki', url: 'https://w.example/mcp', headers: [{ name: 'Authorization', key: 'wiki' }] }
const weather = { name: 'weather', command: 'weather', env: [{ name: 'TOKEN', key: 'weather' }] }

describe('what Agent and Project give an execution', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    Object.assign(world.context.installation, { isolation: 'sandbox' })
  })
  afterEach(() => world.close())

  async function run(
    agent: Partial<AgentSpec>,
    project: Partial<ProjectSpec>,
    keys: readonly string[],
    name = 'task-a',
  ): Promise<void> {
    const credentials = { secretName: 'login', env: [{ name: 'KEY', key: 'key' }] }
    world.kube.put(AGENTS, anAgent({ name: 'claude', spec: { adapter: 'claude', credentials, ...agent } }))
    world.kube.put(PROJECTS, aProject({ spec: project }))
    const data = Object.fromEntries(keys.map((key) => [key, Buffer.from(`secret of ${key}`).toString('base64')]))
    const labels = { 'slipway.dev/usable-by': 'agent' }
    world.kube.put(SECRETS, { ...SECRET, metadata: { name: 'login', namespace: NAMESPACE, labels }, data })
    const spec = { agent: { type: 'claude' }, project: 'project-a' }
    world.kube.put(TASKS, aTask({ name, spec, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync()
  }
  const SECRET = { apiVersion: 'v1', kind: 'Secret' } as const

  it("has the project's identity for git, else the agent's, else that of the person whose machine it is", async () => {
    const home = join(world.volumeRoot, 'home')
    await mkdir(home)
    await writeFile(join(home, '.gitconfig'), '[user]\n\tname = Me\n\temail = me@example.com\n')
    Object.assign(world.context, { gitUser: { home, env: {} } })
    const named = (name: string) => ({ git: { identity: { name, email: 'x@example.com' } } })
    for (const [n, agent, project, name] of [
      [1, {}, {}, 'Me'],
      [2, named('Agent'), {}, 'Agent'],
      [3, named('Agent'), named('Project'), 'Project'],
    ] as const) {
      await run(agent, project, ['key'], `task-${n}`)
      assert.equal(runSpecOf(world.job(`task-${n}-1-run`)).gitIdentity?.name, name)
      await world.endJob(`task-${n}-1-run`)
    }
  })

  it('lies beside its prompt, and names secrets without holding them', async () => {
    const given = { agent: { instructions: 'Hats.', mcpServers: [weather] }, project: { mcpServers: [wiki] } }
    await run(given.agent, given.project, ['key', 'weather', 'wiki'])
    assert.deepEqual((await readGiven(world, 'task-a-1')).agentConfig, {
      schemaVersion: 1,
      instructions: 'Hats.\n',
      mcpServers: [
        { name: 'weather', command: 'weather', env: [{ name: 'TOKEN', from: 'SLIPWAY_MCP_0' }] },
        { ...wiki, headers: [{ name: 'Authorization', from: 'SLIPWAY_MCP_1' }] },
      ],
    })
    const job = world.job('task-a-1-run')
    assert.deepEqual(job && runSpecOf(job).passEnv, ['KEY', 'SLIPWAY_MCP_0', 'SLIPWAY_MCP_1'])
    assert.equal(JSON.stringify([job, world.task()]).includes('secret of'), false)
  })

  it("fails before anything starts for want of a Project's key in the Agent's Secret, naming it", async () => {
    await run({}, { mcpServers: [wiki] }, ['key'])
    assert.deepEqual(world.task().status?.error, { category: 'credentials', message: 'Secret login lacks wiki' })
    assert.equal(world.job('task-a-1-run'), undefined)
  })
})
