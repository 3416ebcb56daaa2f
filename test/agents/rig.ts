/** The built program with the real CLIs, which talk to a scripted provider on loopback. */
import assert from 'node:assert/strict'
import { delimiter } from 'node:path'
import process from 'node:process'
import { makeRemote } from '../helpers/repository.ts'
import type { Remote } from '../helpers/repository.ts'
import type { Installation, Server } from '../system/installation.ts'
import { makeInstallation } from '../system/installation.ts'
import type { ModelServer } from './model-server.ts'
import { startModelServer } from './model-server.ts'

/** Set by `npm run test:agents`: the folder with the pinned CLIs. */
const PROGRAMS = process.env['SLIPWAY_TEST_AGENTS'] ?? ''

export interface AgentRig {
  readonly installation: Installation
  readonly server: Server
  readonly model: ModelServer
  readonly remote: Remote
  /** Creates and runs a task of the agent. */
  submit(id: string, fields?: object): Promise<void>
  stop(): Promise<void>
}

/** Credentials that must appear nowhere but where they belong. */
export const MARKER = 'sk-marker-4f1c9b7a'

export async function startAgentRig(agent: 'claude' | 'codex' | 'gemini'): Promise<AgentRig> {
  assert.notEqual(PROGRAMS, '', 'SLIPWAY_TEST_AGENTS is not set: run npm run test:agents')
  const model = await startModelServer()
  const installation = makeInstallation({
    PATH: [PROGRAMS, process.env['PATH'] ?? ''].join(delimiter),
    ANTHROPIC_API_KEY: MARKER,
    ANTHROPIC_BASE_URL: model.url,
    GEMINI_API_KEY: MARKER,
    GOOGLE_GEMINI_BASE_URL: model.url,
    OPENAI_API_KEY: MARKER,
  })
  const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
  const server = await installation.start()
  return {
    installation,
    server,
    model,
    remote,
    async submit(id, fields = {}) {
      const task = { id, name: `Task ${id}`, description: `Do ${id}.`, repository_url: remote.path }
      const reply = await server.call('POST', '/api/tasks', { ...task, agent: { type: agent }, ...fields })
      assert.equal(reply.status, 201, reply.text)
      await server.run(id)
    },
    async stop() {
      await installation.dispose()
      await model.stop()
    },
  }
}
