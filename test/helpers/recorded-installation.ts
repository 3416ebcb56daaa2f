/** What an older program left behind (test/fixtures/installations/README.md). */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Task } from '../../core/crd/types.ts'
import type { CustomResourceDefinition } from '../../kube/builtin.ts'
import { TASKS } from '../../kube/resources.ts'
import type { KubeClient } from '../../kube/types.ts'
import { type Installation, makeInstallation } from '../system/installation.ts'
import { areServed, replaceCrd } from './crd-suite.ts'
import { until } from './until.ts'

/** Clones, sessions and objects name it, so it is the one in which they were recorded. */
export const RECORDED_FOLDER = '/tmp/slipway-recorded'

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/', import.meta.url))

/** Unpacks what the program of a commit left, for one test of this machine at a time, and removes it at its end. */
export async function openRecorded(commit: string): Promise<Installation> {
  const lock = await holdFolder()
  rmSync(RECORDED_FOLDER, { recursive: true, force: true })
  const bin = join(RECORDED_FOLDER, 'bin')
  mkdirSync(bin, { recursive: true })
  unpackRecorded(commit, RECORDED_FOLDER)
  const claude = join(bin, 'claude')
  writeFileSync(claude, `#!/bin/sh\nexec '${process.execPath}' '${join(FIXTURES, 'agents', 'claude.mjs')}' "$@"\n`)
  chmodSync(claude, 0o755)
  const PATH = [bin, process.env['PATH'] ?? ''].join(delimiter)
  // It gets older every day, and nothing of it may leave for the archive.
  const SLIPWAY_RETENTION = JSON.stringify({ closedDays: 36_500, failedDays: 36_500 })
  const env = { PATH, ANTHROPIC_API_KEY: 'sk-of-the-tests', SLIPWAY_RETENTION }
  const installation = makeInstallation(env, RECORDED_FOLDER)
  return {
    ...installation,
    async dispose() {
      await installation.dispose()
      lock.close()
    },
  }
}

/** @param names of what is wanted of it; default: all */
export function unpackRecorded(commit: string, folder: string, names: readonly string[] = []): void {
  execFileSync('tar', ['-xzf', join(FIXTURES, 'installations', `${commit}.tar.gz`), '-C', folder, ...names])
}

/** Replaces the definitions by those of a commit, and waits until they are in force. */
export async function applyRecordedCrds(commit: string, client: KubeClient, namespace: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-crds-'))
  unpackRecorded(commit, folder, ['crds.json'])
  const crds = JSON.parse(readFileSync(join(folder, 'crds.json'), 'utf8')) as readonly CustomResourceDefinition[]
  rmSync(folder, { recursive: true })
  for (const crd of crds) await replaceCrd(client, crd)
  await areServed(client, namespace)
  const metadata = { namespace, name: 'probe' }
  await until('the definitions are the older ones', async () => {
    const probe = { apiVersion: 'slipway.dev/v1alpha1', kind: 'Task', metadata, spec: { title: 'x' } }
    const made = await client.create<Task>(TASKS, probe as Task)
    const status = { state: 'PENDING', pushes: [{ head: 'a'.repeat(40), at: '2026-01-01T00:00:00Z' }] } as const
    const written = await client.replaceStatus<Task>(TASKS, { ...made, status })
    await client.delete(TASKS, metadata)
    return written.status?.pushes === undefined
  })
}

/** An abstract socket: the system frees it with the process, however that ends. */
async function holdFolder(): Promise<ReturnType<typeof createServer>> {
  const tryHold = async (): Promise<ReturnType<typeof createServer> | undefined> => {
    const server = createServer().listen('\0slipway-recorded')
    try {
      await once(server, 'listening')
      return server
    } catch {
      return undefined
    }
  }
  let held: ReturnType<typeof createServer> | undefined
  await until('no other test uses the folder', async () => (held = await tryHold()) !== undefined)
  if (held === undefined) throw new Error('until ends when it is held')
  return held
}
