/** An installation that looks like a team's week: epics, stories in every column, tasks that ran, failed and ask. */
import assert from 'node:assert/strict'
import { makeRemote } from '../helpers/repository.ts'
import type { Installation, Server } from '../system/installation.ts'
import { EPICS, STORIES, TASKS } from './seed-data.ts'

export interface SeedOptions {
  readonly installation: Installation
  readonly server: Server
}

async function demand(
  server: Server,
  method: string,
  path: string,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const reply = await server.call(method, path, body)
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
  return reply.body
}

/** How a story comes to a status that none can begin in. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  REVIEW_READY: ['REVIEW_READY'],
  DONE: ['REVIEW_READY', 'DONE'],
}

/** Makes projects, agents, epics, stories and tasks, and runs those that are to have run. */
export async function seed({ installation, server }: SeedOptions): Promise<void> {
  const post = (path: string, body: unknown) => demand(server, 'POST', path, body)
  const remote = makeRemote(installation.folder, {
    'README.md': '# shop\n',
    'src/price.ts': 'export const tax = 0.19\n',
  })
  for (const id of ['shop', 'search', 'media']) await post('/api/projects', { id, name: id, remote_url: remote.path })
  await demand(server, 'DELETE', '/api/agents/claude')
  await post('/api/agents', { id: 'claude', adapter: 'script', max_concurrent: 3 })
  await post('/api/agents', { id: 'translator', adapter: 'script' })
  for (const epic of EPICS) await post('/api/epics', epic)
  for (const { status, ...story } of STORIES) {
    const way = WAYS[status]
    await post('/api/stories', { ...story, status: way === undefined ? status : 'VALIDATING' })
    for (const next of way ?? []) await demand(server, 'PUT', `/api/stories/${story.id}/status`, { status: next })
  }
  for (const { script, agent, runs: _runs, reaches: _reaches, ...task } of TASKS)
    await post('/api/tasks', { project: 'shop', ...task, agent: { type: agent ?? 'claude', instructions: script } })
  for (const { id } of TASKS.filter(({ runs }) => runs)) await server.run(id)
  for (const { id, reaches } of TASKS.filter(({ runs }) => runs))
    if (reaches !== undefined) await server.reaches(id, reaches, 180_000)
}
