/** What an Agent and a Project give the CLI beside the prompt: servers of tools, and instructions. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord } from '../../core/json.ts'
import { hasErrorCode } from '../../lib/files.ts'
import { processesOf } from '../system/installation.ts'
import { type McpHttpServer, startMcpHttpServer } from './mcp-http.ts'
import { type AgentRig, type Program, isExample, startAgentRig } from './rig.ts'

const SERVER = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'agents', 'mcp-server.mjs')
const TOKEN = 'mcp-marker-93d1'
const HEADER = 'Bearer mcp-marker-57aa'

const WEATHER = `Weather of $(here), it's in the 'north' of $HOME, token ${createHash('sha256').update(TOKEN).digest('hex')}, others 0`

/** How each CLI names the tools of a server, and how it is told which model. */
const PROGRAMS = {
  claude: { tools: ['mcp__weather__forecast', 'mcp__wiki__look_up'], model: undefined },
  gemini: { tools: ['mcp_weather_forecast', 'mcp_wiki_look_up'], model: 'gemini-2.5-flash' },
  codex: { tools: ['mcp__weather', 'mcp__wiki'], model: undefined },
  'gemini-acp': { tools: ['mcp_weather_forecast', 'mcp_wiki_look_up'], model: 'gemini-2.5-flash' },
  opencode: { tools: ['weather_forecast', 'wiki_look_up'], model: undefined },
} as const satisfies Record<Program, unknown>

/** What every program must do with the servers and instructions of its Agent and its Project. */
export function describeGiven(program: Program): void {
  const { tools, model } = PROGRAMS[program]
  describe(`the real ${program}, given servers and instructions`, function () {
    let rig: AgentRig
    let wiki: McpHttpServer
    let commandLines: readonly string[] = []

    before(async () => {
      rig = await startAgentRig(program)
      wiki = await startMcpHttpServer()
      // Of this machine the sandbox sees programs; a server that is a file has to be in the repository.
      rig.remote.commit('main', { 'server.mjs': readFileSync(SERVER, 'utf8') })
      const agents = (await rig.server.call('GET', `/api/agents/${program}`)).body
      const credentials = Object(agents['credentials']) as { secret_name: string }
      await rig.storeSecret(credentials.secret_name, { weather: TOKEN, wiki: HEADER })
      const env = [
        { name: 'REGION', value: "the 'north' of $HOME" },
        { name: 'TOKEN', key: 'weather' },
      ]
      await change(`/api/agents/${program}`, {
        instructions: 'Always wear a hat.',
        mcp_servers: [{ name: 'weather', command: 'node', args: ['server.mjs', "$(here), it's"], env }],
      })
      const created = await rig.server.call('POST', '/api/projects', {
        id: 'sample',
        name: 'Sample',
        remote_url: rig.remote.path,
        instructions: 'Never wear two.',
        mcp_servers: [{ name: 'wiki', url: wiki.url, headers: [{ name: 'Authorization', key: 'wiki' }] }],
      })
      assert.equal(created.status, 201, created.text)
    })
    after(async () => {
      await rig.stop()
      await wiki.stop()
    })

    const change = async (path: string, patch: object): Promise<void> => {
      const reply = await rig.server.call('PUT', path, patch)
      assert.equal(reply.status, 200, reply.text)
    }
    const run = async (id: string, fields: object = {}): Promise<readonly string[]> => {
      rig.model.play([
        () => {
          commandLines = processesOf(`${id}-1`).flatMap(readCommandLine)
          return { kind: 'use', tool: tools[0], input: {} }
        },
        { kind: 'say', text: 'Done.' },
      ])
      await rig.submit(id, {
        project: 'sample',
        agent: { type: program, ...(model === undefined ? {} : { model }), ...fields },
      })
      await rig.reaches(id, 'READY')
      return rig.model.asked.map(({ body }) => JSON.stringify(body))
    }

    it('offers the tools of both to the model, and tells it both instructions', async () => {
      const asked = (await run('given')).join('\n')
      for (const text of [...tools, WEATHER, 'Always wear a hat.', 'Never wear two.'])
        assert.ok(asked.includes(text), text)
      assert.deepEqual([...wiki.authorizations], [HEADER])
      assert.equal(rig.remote.git('branch', '--list', 'slipway/given'), '', 'nothing of it is in the repository')
    })

    it('leaves the values of the Secret in no argument, log, file or record', async () => {
      assert.notDeepEqual(commandLines, [])
      const { folder } = rig.installation
      for (const secret of [TOKEN, HEADER]) {
        const found = findFiles(folder, secret).filter((file) => !file.includes('/store/'))
        assert.deepEqual(found, [])
        assert.deepEqual(
          commandLines.filter((line) => line.includes(secret)),
          [],
        )
        for (const path of ['/api/executions', `/api/agents/${program}`, '/api/projects/sample', '/api/tasks/given']) {
          assert.equal((await rig.server.call('GET', path)).text.includes(secret), false, path)
        }
      }
    })

    if (isExample(program))
      it('refuses a list of tools, which its protocol does not have, and says the way out', async () => {
        await rig.submit('picky', { agent: { type: program, allowed_tools: ['mcp__wiki', 'Bash'] } })
        const { error } = await rig.reaches('picky', 'FAILED')
        assert.match(String(error), /cannot keep allowed tools.*Leave allowed_tools out/)
      })
    else
      it('is given the tools of those servers alone that its task allows', async () => {
        const [asked = ''] = await run('picky', { allowed_tools: ['mcp__wiki', 'Bash'] })
        assert.ok(offered(asked).includes(tools[1]), asked)
        assert.equal(offered(asked).includes(tools[0]), false, tools[0])
      })

    it('is told nothing any more once Agent and Project say nothing', async () => {
      await change(`/api/agents/${program}`, { instructions: null, mcp_servers: null })
      await change('/api/projects/sample', { instructions: null, mcp_servers: null })
      const [asked = ''] = await run('bare')
      assert.ok(asked.includes('Do bare.'))
      for (const text of [...tools, 'wear a hat']) assert.equal(asked.includes(text), false, text)
    })
  })
}

/** The tools that a request offers to the model. */
function offered(request: string): string {
  return JSON.stringify(asRecord(JSON.parse(request))['tools'])
}

/** Nothing of a process that has ended meanwhile. */
function readCommandLine(pid: number): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH')) return []
    throw error
  }
}

/** Files below a folder that hold a text. */
function findFiles(folder: string, text: string): string[] {
  // What goes away meanwhile is complained of, and holds nothing.
  const { stdout } = spawnSync('grep', ['-rlF', '--devices=skip', text, folder], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}
