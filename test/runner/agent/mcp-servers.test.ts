import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import * as fc from 'fast-check'
import type { AgentConfig, AgentMcpServer } from '../../../core/execution/agent-config.ts'
import type { StepContext } from '../../../runner/context.ts'
import { writeInstructions } from '../../../runner/agent/agent-config.ts'
import { readGiven } from '../../../runner/agent/given.ts'
import { prepareServers } from '../../../runner/agent/mcp-servers.ts'
import { manualClock } from '../../helpers/clock.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'
import { runs } from '../../helpers/runs.ts'

describe('what the runner gives a CLI', () => {
  let root: string
  let context: StepContext
  beforeEach(() => {
    root = makeFolder()
    const { spec, folder, volume } = makeExecution(root, { path: '/none' }, '')
    const home = join(volume, 'sandboxes', 'demo', 'home')
    const paths = { clone: '', home, execution: folder, agentOutput: join(folder, 'agent') }
    const signal = new AbortController().signal
    context = { run: spec, paths, signal, tmp: root, env: {}, clock: manualClock(), say: () => undefined }
  })
  afterEach(() => removeFolder(root))

  /** What a server sees that the CLI starts with these variables in its environment. */
  async function launch(server: Partial<AgentMcpServer>, env: Record<string, string>): Promise<string[]> {
    const program = `process.stdout.write(JSON.stringify([process.argv.slice(1), process.env]))`
    const args = ['-e', program, '--', ...(server.args ?? [])]
    const config: AgentConfig = {
      schemaVersion: 1,
      mcpServers: [{ name: 's', command: process.execPath, ...server, args }],
    }
    const [entry] = (await prepareServers(context, config)).entries
    assert.equal(entry?.kind, 'program')
    const output = execFileSync(entry.command, entry.args, { env: { PATH: process.env['PATH'], ...env } })
    return JSON.parse(output.toString('utf8')) as string[]
  }

  it('is a server with the arguments and variables that were written, whatever is in them', async () => {
    const text = fc.string({ unit: fc.constantFrom("'", '"', '$', '`', '\\', ' ', '\n', '*', 'a', 'é', '(', ')') })
    await fc.assert(
      fc.asyncProperty(text, text, async (argument, value) => {
        const env = [{ name: 'VALUE', value }]
        const [args, seen] = await launch({ args: [argument], env }, {})
        assert.deepEqual(args, [argument])
        assert.equal(Object(seen)['VALUE'], value)
      }),
      { numRuns: runs(10) },
    )
  })

  it('is a secret under the name that the server has for it, and none of those of its neighbours', async () => {
    const env = [{ name: 'TOKEN', from: 'SLIPWAY_MCP_0' }]
    const [, seen] = await launch({ env }, { SLIPWAY_MCP_0: 'a "$b" c', SLIPWAY_MCP_1: 'not for it' })
    assert.equal(Object(seen)['TOKEN'], 'a "$b" c')
    assert.deepEqual(
      Object.keys(Object(seen) as object).filter((name) => name.startsWith('SLIPWAY_')),
      [],
    )
  })

  it('is a header by the variable that holds it, whether secret or not', async () => {
    const headers = [
      { name: 'Authorization', from: 'SLIPWAY_MCP_0' },
      { name: 'X-Team', value: 'costs $HOME' },
    ]
    const config: AgentConfig = { schemaVersion: 1, mcpServers: [{ name: 's', url: 'https://s.example/mcp', headers }] }
    const { entries, env } = await prepareServers(context, config)
    const named = { Authorization: 'SLIPWAY_MCP_0', 'X-Team': 'SLIPWAY_MCP_HEADER_0' }
    assert.deepEqual(entries, [{ kind: 'address', name: 's', url: 'https://s.example/mcp', headers: named }])
    assert.deepEqual(env, { SLIPWAY_MCP_HEADER_0: 'costs $HOME' })
  })

  it('is nothing where an older operator wrote no file, and is refused where it is no such file', async () => {
    const { given: _, ...run } = context.run
    const older = { ...context, run }
    const { agentConfig } = await readGiven(older)
    assert.deepEqual(agentConfig, { schemaVersion: 1, mcpServers: [] })
    writeFileSync(join(context.paths.execution, 'given.json'), '{"schemaVersion":1,"mcpServers":[{"name":1}]}')
    await assert.rejects(readGiven(older), /demo-1\.agentConfig\.mcpServers\[0\]\.name must be a string/)
  })

  it('is instructions in its home, which go when there are none any more', async () => {
    const file = join(context.paths.home, '.claude', 'CLAUDE.md')
    mkdirSync(context.paths.home)
    await writeInstructions(context, { schemaVersion: 1, mcpServers: [], instructions: 'Hats.\n' }, '.claude/CLAUDE.md')
    assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['Hats.\n', 0o600])
    await writeInstructions(context, { schemaVersion: 1, mcpServers: [] }, '.claude/CLAUDE.md')
    assert.throws(() => readFileSync(file), { code: 'ENOENT' })
  })

  it('stays when it came with the credentials', async () => {
    const file = join(context.paths.home, '.claude', 'CLAUDE.md')
    mkdirSync(join(context.paths.home, '.claude'), { recursive: true })
    writeFileSync(file, 'Mine.\n')
    const run = { ...context.run, credentialFiles: [{ from: '/x', path: './.claude/CLAUDE.md' }] }
    await writeInstructions({ ...context, run }, { schemaVersion: 1, mcpServers: [] }, '.claude/CLAUDE.md')
    assert.equal(readFileSync(file, 'utf8'), 'Mine.\n')
  })

  it('is written and removed through no link that an earlier run left', async () => {
    mkdirSync(context.paths.home)
    mkdirSync(join(root, 'elsewhere'))
    symlinkSync(join(root, 'elsewhere'), join(context.paths.home, '.claude'))
    const config: AgentConfig = { schemaVersion: 1, mcpServers: [], instructions: 'Hats.\n' }
    await assert.rejects(writeInstructions(context, config, '.claude/CLAUDE.md'), { name: 'UnsafePath' })
    assert.throws(() => readFileSync(join(root, 'elsewhere', 'CLAUDE.md')), { code: 'ENOENT' })
    writeFileSync(join(root, 'elsewhere', 'CLAUDE.md'), 'not ours')
    await writeInstructions(context, { schemaVersion: 1, mcpServers: [] }, '.claude/CLAUDE.md')
    assert.equal(readFileSync(join(root, 'elsewhere', 'CLAUDE.md'), 'utf8'), 'not ours')
  })
})
