// Fills a server with records of every kind and prints their names as JSON for hooks.py. Through REST, but for the limit
// of an agent, which only a provider makes: that is written as the operator would, to the control plane of a kubeconfig.
// node seed.mjs <url> <token> <url of a git repository> <kubeconfig>
import { readFileSync } from 'node:fs'
import { request } from 'node:https'

const [url, token, repository, kubeconfig] = process.argv.slice(2)

async function send(method, path, body) {
  const isText = typeof body === 'string' || body instanceof FormData
  const response = await fetch(new URL(path, url), {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(isText ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Merges into the status of an Agent, at the control plane itself. */
function patchAgentStatus(name, status) {
  const text = readFileSync(kubeconfig, 'utf8')
  const valueOf = (key) => new RegExp(`"?${key}"?: *"?([^"\\s,]+)`).exec(text)?.[1]
  const path = `/apis/slipway.dev/v1alpha1/namespaces/default/agents/${name}/status`
  const headers = { Authorization: `Bearer ${valueOf('token')}`, 'Content-Type': 'application/merge-patch+json' }
  const ca = Buffer.from(valueOf('certificate-authority-data') ?? '', 'base64')
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, valueOf('server')), { method: 'PATCH', headers, ca }, (response) => {
      response.resume()
      if (response.statusCode === 200) response.once('end', resolve)
      else reject(new Error(`PATCH ${path}: ${response.statusCode}`))
    })
    sent.once('error', reject).end(JSON.stringify({ status }))
  })
}

const { paths } = await send('GET', '/api/openapi.json')
/** Only what the server offers: the list of kinds grows. */
const create = async (path, bodies) => {
  if (paths[path]?.post === undefined) return []
  for (const body of bodies) await send('POST', path, body)
  return bodies.map(({ id }) => id)
}

/** Waits until a task has come to rest. */
async function settle(id, states) {
  for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt;) {
    const { state, error } = await send('GET', `/api/tasks/${id}`)
    if (states.includes(state)) return
    if (['FAILED', 'TIMED_OUT'].includes(state)) throw new Error(`${id} ended ${state}: ${error}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${id} did not reach ${states.join(' or ')} within a minute`)
}

/** A seed that is not what its name says would let cases pass that prove nothing. */
async function demandStates(wanted) {
  const { agents: all } = await send('GET', '/api/agents/status')
  for (const { agent, state } of all) {
    if (wanted[agent] !== undefined && wanted[agent] !== state) throw new Error(`${agent} is ${state}`)
  }
}

const script = (id, instructions, type = 'script') => ({
  id,
  name: id,
  project: 'seed-project',
  agent: { type, instructions },
})
const ASK = `printf '{"text": "Which one?", "options": ["this", "that"]}' > "$SERVICE_QUESTION_FILE"`
const WORK = 'mkdir -p "$SERVICE_ARTIFACT_DIR" 2>/dev/null; date > seed.txt; echo wrote seed.txt; echo done >&2'

const projects = await create('/api/projects', [
  { id: 'seed-project', name: 'seed', remote_url: repository },
  { id: 'spare-project', name: 'spare', remote_url: repository },
])
const epics = await create('/api/epics', [
  { id: 'seed-epic', name: 'seed' },
  { id: 'spare-epic', name: 'spare' },
])
const stories = await create('/api/stories', [
  { id: 'seed-story', name: 'seed', project_id: 'seed-project', epic_id: 'seed-epic', spec: 'What it is about' },
  { id: 'seed-story-2', name: 'second', status: 'PRIORITIZED' },
  { id: 'spare-story', name: 'spare' },
])
const agents = await create('/api/agents', [
  { id: 'seed-agent', name: 'seed-agent', adapter: 'claude', command: ['true'] },
  { id: 'seed-drained-agent', name: 'seed-drained-agent', adapter: 'script' },
  { id: 'seed-limited-agent', name: 'seed-limited-agent', adapter: 'script' },
  { id: 'spare-agent', name: 'spare-agent', adapter: 'claude', command: ['true'] },
])
const tasks = await create('/api/tasks', [
  script('seed-done', WORK),
  script('seed-ready', WORK),
  { id: 'seed-pending', name: 'waits to be run', description: 'Nothing runs it', priority: 3 },
  { id: 'seed-parent', name: 'has a subtask', run_policy: 'manual' },
  { id: 'seed-child', name: 'is a subtask', parent_task_id: 'seed-parent', depends_on: ['seed-pending'] },
  { id: 'seed-cancelled', name: 'is cancelled' },
  { id: 'seed-failed', name: 'has no repository', agent: { type: 'script', instructions: 'true' } },
  script('seed-blocked', ASK),
  script('seed-limited', WORK, 'seed-limited-agent'),
  ...[1, 2, 3].map((n) => script(`seed-drain-${n}`, 'echo no >&2; exit 1', 'seed-drained-agent')),
  ...['spare-task-1', 'spare-task-2', 'spare-task-3'].map((id) => ({ id, name: 'may be deleted' })),
])
for (const id of ['seed-done', 'seed-ready', 'seed-failed']) await send('POST', `/api/tasks/${id}/run`)
await send('POST', '/api/tasks/seed-cancelled/cancel')
// Far enough ahead that the task is still in its queue at the last case.
await patchAgentStatus('seed-limited-agent', { rateLimitedUntil: new Date(Date.now() + 3_600_000).toISOString() })
await send('POST', '/api/tasks/seed-limited/run')
await send('POST', '/api/tasks/seed-blocked/run')
for (const n of [1, 2, 3]) {
  await send('POST', `/api/tasks/seed-drain-${n}/run`)
  await settle(`seed-drain-${n}`, ['FAILED'])
}
await settle('seed-blocked', ['BLOCKED'])
await settle('seed-done', ['READY'])
await settle('seed-ready', ['READY'])
await send('POST', '/api/tasks/seed-done/accept')
if (paths['/api/stories/{id}/tasks']?.post) {
  tasks.push((await send('POST', '/api/stories/seed-story/tasks', { name: 'first of the story' })).id)
  tasks.push((await send('POST', '/api/stories/seed-story/tasks', { name: 'second of the story' })).id)
}
const drops = []
if (paths['/api/drops']?.post) {
  const form = new FormData()
  for (const name of ['seed.txt', 'spare.txt']) form.append('file', new Blob(['dropped']), name)
  drops.push(...(await send('POST', '/api/drops', form)).map(({ name }) => name))
}
await demandStates({ 'seed-drained-agent': 'drained', 'seed-limited-agent': 'rate_limited' })
const executions = (await send('GET', '/api/executions')).map(({ id }) => id)
process.stdout.write(JSON.stringify({ projects, epics, stories, agents, tasks, drops, executions }))
