// Fills a server with records of every kind, through REST alone, and prints their names as JSON for hooks.py.
// node seed.mjs <url> <token> <url of a git repository>
const [url, token, repository] = process.argv.slice(2)

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

const script = (id, instructions) => ({
  id,
  name: id,
  project: 'seed-project',
  agent: { type: 'script', instructions },
})
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
  ...['spare-task-1', 'spare-task-2', 'spare-task-3'].map((id) => ({ id, name: 'may be deleted' })),
])
for (const id of ['seed-done', 'seed-ready', 'seed-failed']) await send('POST', `/api/tasks/${id}/run`)
await send('POST', '/api/tasks/seed-cancelled/cancel')
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
const executions = (await send('GET', '/api/executions')).map(({ id }) => id)
process.stdout.write(JSON.stringify({ projects, epics, stories, agents, tasks, drops, executions }))
