/** An installation that looks like a team's week: epics, stories in every column, tasks that ran, failed and ask. */
import assert from 'node:assert/strict'
import { appendFileSync, existsSync } from 'node:fs'
import type { CiRun } from '../../core/crd/types.ts'
import { findCiSubject, toCiReport } from '../../core/task/ci.ts'
import { addMs, toTimestamp } from '../../core/time.ts'
import { systemClock } from '../../lib/clock.ts'
import type { JsonObject } from '../../embedded/schema/json.ts'
import { makeRemote } from '../helpers/repository.ts'
import { until } from '../helpers/until.ts'
import { type Installation, type Server, kindPath } from '../system/installation.ts'
import { CONVERSATION, conversationOf } from './conversation.ts'
import { DROPS, EPICS, MEDIA_CHECKS, STORIES, TASKS } from './seed-data.ts'

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

/** In the place of the agent that every installation begins with, one of the same name that runs scripts. */
async function scriptAgent(
  server: Server,
  agent: { readonly id: string; readonly max_concurrent?: number },
): Promise<void> {
  const { body } = await server.call('GET', `/api/agents/${agent.id}`)
  // The past has made it already, and its tasks refer to it.
  if (body['adapter'] === 'script') return
  await demand(server, 'DELETE', `/api/agents/${agent.id}`)
  await demand(server, 'POST', '/api/agents', { ...agent, adapter: 'script' })
}

async function patchStatus({ kube }: Server, path: string, status: JsonObject): Promise<void> {
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  const answer = await kube.send('PATCH', `${path}/status`, { status }, headers)
  assert.equal(answer.status, 200, answer.text)
}

/** The provider's limit of an agent, as it stands after one was met: it ends in three hours. */
async function limit(server: Server, agent: string): Promise<void> {
  const rateLimitedUntil = toTimestamp(addMs(systemClock.now(), 3 * 3_600_000))
  await patchStatus(server, kindPath('agents', agent), { rateLimitedUntil })
}

/** What the CI of a git host says of work that is READY. No host is here to be asked, so it is written as the operator would. */
async function report(server: Server, task: string, runs: readonly CiRun[]): Promise<void> {
  const { body } = await server.kube.send('GET', kindPath('tasks', task))
  const subject = findCiSubject(body)
  assert.ok(subject !== undefined, `${task} has no commit that a person decides about`)
  const ci = toCiReport(subject.commit, runs, undefined, systemClock.now())
  await patchStatus(server, kindPath('tasks', task), { ci: ci as unknown as JsonObject })
}

/** Makes projects, agents, epics, stories and tasks, and runs those that are to have run. */
export async function seed({ installation, server }: SeedOptions): Promise<void> {
  const post = (path: string, body: unknown) => demand(server, 'POST', path, body)
  const remote = makeRemote(installation.folder, {
    'README.md': '# shop\n',
    'src/price.ts': 'export const tax = 0.19\n',
    'docs/prices.md': '# Prices\n\nVAT is 19 %.\nThe shop rounds per line.\n',
    'src/old-totals.ts': 'export const totals = (prices: number[]) => prices.reduce((a, b) => a + b, 0)\n',
    'src/line-item.ts': 'export interface Line {\n  readonly net: number\n}\n',
    'test/price.test.ts': 'it("is 19 %", () => assert.equal(tax, 0.19))\n',
  })
  for (const id of ['shop', 'search', 'media'])
    await post('/api/projects', { id, name: id, remote_url: remote.path, ...(id === 'media' ? MEDIA_CHECKS : {}) })
  await scriptAgent(server, { id: 'claude', max_concurrent: 3 })
  await post('/api/agents', { id: 'translator', adapter: 'script' })
  await scriptAgent(server, { id: 'codex' })
  await limit(server, 'codex')
  const files = new FormData()
  for (const [name, content] of Object.entries(DROPS)) files.append('file', new Blob([content]), name)
  const uploaded = await fetch(new URL('/api/drops', server.program.url), { method: 'POST', body: files })
  assert.equal(uploaded.status, 201)
  for (const epic of EPICS) await post('/api/epics', epic)
  for (const { status, ...story } of STORIES) {
    const way = WAYS[status]
    await post('/api/stories', { ...story, status: way === undefined ? status : 'VALIDATING' })
    for (const next of way ?? []) await demand(server, 'PUT', `/api/stories/${story.id}/status`, { status: next })
  }
  for (const {
    script,
    agent,
    runs: _runs,
    reaches: _reaches,
    answer: _answer,
    waive: _waive,
    ci: _ci,
    ...task
  } of TASKS)
    await post('/api/tasks', { project: 'shop', ...task, agent: { type: agent ?? 'claude', instructions: script } })
  for (const { id } of TASKS.filter(({ runs }) => runs)) await server.run(id)
  for (const { id, reaches } of TASKS.filter(({ runs }) => runs))
    if (reaches !== undefined) await server.reaches(id, reaches, 180_000)
  for (const { id, answer } of TASKS) {
    if (answer === undefined) continue
    await post(`/api/tasks/${id}/answer`, { answer })
    await server.reaches(id, 'READY', 180_000)
  }
  for (const { id, waive: reason } of TASKS) {
    if (reason === undefined) continue
    await post(`/api/tasks/${id}/waive`, { reason })
    await server.reaches(id, 'READY', 180_000)
  }
  for (const { id, ci } of TASKS) if (ci !== undefined) await report(server, id, ci)
  await talk(installation)
}

/** What the agent of the task that is under way says. */
async function talk(installation: Installation): Promise<void> {
  const file = installation.executionFile('voucher-refund-1', 'agent/events.jsonl')
  await until('the agent of voucher-refund has begun', async () => existsSync(file))
  appendFileSync(file, conversationOf(CONVERSATION))
}
