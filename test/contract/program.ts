/** The built program for the rows that need an operator and running agents: one repository, agents of the tests' own. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { type Remote, makeRemote } from '../helpers/repository.ts'
import { type Installation, type Server, type TaskFields, makeInstallation } from '../system/installation.ts'

/** The stand-in for Claude Code, which does what words in its prompt say. */
const FAKE_CLAUDE = join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'agents', 'claude.mjs')

/** Patience for a state on a loaded machine. */
export const PATIENCE_MS = 120_000

export interface Program {
  readonly server: Server
  readonly installation: Installation
  readonly remote: Remote
  /** Creates a task on the sample repository and runs it. */
  submit(id: string, script: string, fields?: TaskFields): Promise<void>
  /** Adds an agent that runs scripts, with a slot of its own. */
  addAgent(id: string, fields?: TaskFields): Promise<void>
  reaches(id: string, state: string): Promise<Readonly<Record<string, unknown>>>
  dispose(): Promise<void>
}

/** Starts it with `claude` played by the stand-in; runs agents as plain processes, which needs nothing installed. */
export async function startProgram(): Promise<Program> {
  const bin = mkdtempSync(join(tmpdir(), 'slipway-bin-'))
  writeFileSync(join(bin, 'claude'), `#!/usr/bin/env bash\nexec node '${FAKE_CLAUDE}' "$@"\n`, { mode: 0o755 })
  const PATH = [bin, process.env['PATH'] ?? ''].join(delimiter)
  const installation = makeInstallation({ PATH, ANTHROPIC_API_KEY: 'sk-of-the-tests' })
  const remote = makeRemote(installation.folder, { 'README.md': '# Sample\n' })
  const server = await installation.start('--runtime', 'process')
  return {
    server,
    installation,
    remote,
    async submit(id, script, fields = {}) {
      await server.create(id, script, { repository_url: remote.path, ...fields })
      await server.run(id)
    },
    async addAgent(id, fields = {}) {
      const reply = await server.call('POST', '/api/agents', { id, adapter: 'script', ...fields })
      assert.equal(reply.status, 201, reply.text)
    },
    reaches: (id, state) => server.reaches(id, state, PATIENCE_MS),
    async dispose() {
      await installation.dispose()
      rmSync(bin, { recursive: true })
    },
  }
}

/** Shell that waits until the drop file is there. */
export function waitsFor(drop: string): string {
  return `while [ ! -e "$SERVICE_DROP_DIR/${drop}" ]; do sleep 0.05; done`
}
