/** Section 2, resources and their fields, as far as no row of section 4 shows them. */
import assert from 'node:assert/strict'
import { type Rig, itemsOf, startRig } from '../api-server/rig.ts'
import { aStory, aTask, anAgent, anExecution } from '../helpers/build.ts'
import { at, textAt } from '../helpers/kube-http.ts'
import { row } from './contract.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

describe('the contract, section 2: resources and their fields', () => {
  let api: Rig
  before(async () => {
    api = await startRig({ version: { version: '1.0.0', commit: COMMIT, built_at: '' } })
    await api.givenAgent(anAgent({ name: 'claude' }))
    await api.post('/api/projects', { id: 'site', name: 'Site', remote_url: 'https://git.example/site.git' })
  })
  after(() => api.stop())

  const read = async (path: string) => (await api.get(path)).body
  const fieldsOf = (record: Parameters<typeof at>[0], names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, at(record, name)]))

  row('2.task', 'gives back every field that a create may have, and what became of it', async () => {
    for (const id of ['before', 'parent']) await api.post('/api/tasks', { id, name: id })
    await api.post('/api/stories', { id: 'story', name: 'Story' })
    const fields = {
      id: 'whole',
      name: 'Whole',
      description: 'All of it.',
      project: 'site',
      elaboration_input: 'I want all of it',
      repository_url: 'https://git.example/other.git',
      container_image: 'example.org/tools:1',
      agent: { type: 'claude', model: 'opus', instructions: 'Go.', allowed_tools: ['Read', 'Grep'] },
      depends_on: ['before'],
      parent_task_id: 'parent',
      story_id: 'story',
    }
    assert.equal((await api.post('/api/tasks', fields)).status, 201)
    const whole = await read('/api/tasks/whole')
    assert.deepEqual(fieldsOf(whole, Object.keys(fields)), fields)
    assert.deepEqual([at(whole, 'state'), at(whole, 'deployment_status')], ['PENDING', undefined])

    const question = { items: [{ text: 'Which?' }], askedAt: '2026-01-01T00:00:00Z' }
    await api.given(aTask({ name: 'asking', status: { state: 'BLOCKED', question } }))
    assert.equal(at(await read('/api/tasks/asking'), 'question'), 'Which?')
    await api.given(aTask({ name: 'rejected', status: { state: 'PENDING', rejectionComment: 'No.' } }))
    assert.equal(at(await read('/api/tasks/rejected'), 'rejection_comment'), 'No.')
    await api.givenExecution(anExecution({ name: 'ready-1', status: { state: 'COMPLETED', commits: [COMMIT] } }))
    await api.given(aTask({ name: 'ready', status: { state: 'READY', execution: 'ready-1', executions: 1 } }))
    const deployment = { deployed_commit: COMMIT, fix_commits: [COMMIT], includes_fix: true }
    assert.deepEqual(at(await read('/api/tasks/ready'), 'deployment_status'), deployment)
    const listed = itemsOf(await read('/api/tasks')).find((task) => at(task, 'id') === 'ready')
    assert.deepEqual(at(listed, 'deployment_status'), deployment)
  })

  row(
    '2.task.legacy-key',
    'claude in place of agent is the configuration of the agent claude; beside it, 400',
    async () => {
      const claude = { model: 'opus', instructions: 'Go.', allowed_tools: ['Read'] }
      const { status, body } = await api.post('/api/tasks', { id: 'legacy', name: 'Legacy', claude })
      assert.deepEqual([status, at(body, 'agent'), at(body, 'claude')], [201, { type: 'claude', ...claude }, undefined])
      const both = await api.post('/api/tasks', { name: 'Both', claude, agent: { type: 'claude' } })
      assert.equal(both.status, 400)
    },
  )

  row('2.execution', 'gives owner, folders, figures, cost, error, summary and the commits that were made', async () => {
    const status = {
      state: 'FAILED' as const,
      sandboxDir: '/slipway/sandboxes/whole',
      stdoutPath: '/slipway/executions/whole-1/agent/stdout.log',
      stderrPath: '/slipway/executions/whole-1/agent/stderr.log',
      artifactDir: '/slipway/executions/whole-1/agent/artifacts',
      changes: { files: 3, insertions: 10, deletions: 2 },
      costUSD: 0.25,
      error: { category: 'git' as const, message: 'refused' },
      summary: 'Half of it.',
      commits: [COMMIT],
    }
    await api.givenExecution(anExecution({ name: 'whole-1', spec: { taskRef: { name: 'whole' } }, status }))
    const record = await read('/api/executions/whole-1')
    assert.deepEqual(
      fieldsOf(record, ['task_id', 'sandbox_dir', 'stdout_path', 'stderr_path', 'artifact_dir', 'changes', 'cost_usd']),
      {
        task_id: 'whole',
        sandbox_dir: status.sandboxDir,
        stdout_path: status.stdoutPath,
        stderr_path: status.stderrPath,
        artifact_dir: status.artifactDir,
        changes: status.changes,
        cost_usd: 0.25,
      },
    )
    assert.deepEqual(fieldsOf(record, ['error', 'error_category', 'summary', 'fix_commits']), {
      error: 'refused',
      error_category: 'git',
      summary: 'Half of it.',
      fix_commits: [COMMIT],
    })
  })

  row(
    '2.story',
    'gives back every field that a create may have, its root task and how its verdicts stand',
    async () => {
      await api.post('/api/epics', { id: 'money', name: 'Money' })
      const fields = {
        id: 'checkout',
        name: 'Checkout',
        branch_name: 'feature/checkout',
        status: 'BACKLOG',
        project_id: 'site',
        epic_id: 'money',
        priority: 3,
        spec: 'One page.',
        acceptance_criteria: ['It takes one page.', 'It is fast.'],
      }
      assert.equal((await api.post('/api/stories', fields)).status, 201)
      await api.post('/api/stories/checkout/tasks', { id: 'root', name: 'Root' })
      const verdict = { kind: 'eval_verdict', payload: { criterion: 'It is fast.', verdict: 'fail' } }
      assert.equal((await api.post('/api/stories/checkout/events', verdict)).status, 201)
      const story = await read('/api/stories/checkout')
      assert.deepEqual(fieldsOf(story, Object.keys(fields)), fields)
      assert.equal(at(story, 'root_task_id'), 'root')
      const counts = ['total', 'passed', 'failed', 'pending'].map((name) => at(story, ['evaluation', name]))
      assert.deepEqual(counts, [2, 0, 1, 1])
    },
  )

  row(
    '2.story.tree',
    'has an edge for each parent and each dependency, and nodes with name, role and state',
    async () => {
      await api.givenStory(aStory({ name: 'tree' }))
      await api.post('/api/stories/tree/tasks', { id: 'trunk', name: 'Trunk' })
      await api.post('/api/stories/tree/tasks', { id: 'branch', name: 'Branch' })
      await api.post('/api/tasks', { id: 'twig', name: 'Twig', parent_task_id: 'branch' })
      const graph = await read('/api/stories/tree/graph')
      const shown = (items: Parameters<typeof itemsOf>[0], names: readonly string[]) =>
        new Set(itemsOf(items).map((item) => names.map((name) => textAt(item, name)).join(' ')))
      assert.deepEqual(
        shown(at(graph, 'nodes'), ['id', 'name', 'role', 'state']),
        new Set(['trunk Trunk root PENDING', 'branch Branch task PENDING', 'twig Twig subtask PENDING']),
      )
      assert.deepEqual(
        shown(at(graph, 'edges'), ['from', 'to', 'kind']),
        new Set(['trunk branch depends_on', 'branch twig parent_task_id']),
      )
    },
  )

  row('2.project', 'gives back id, remote_url and local_path', async () => {
    const remote_url = 'https://git.example/local.git'
    const fields = { id: 'local', name: 'Local', remote_url, local_path: api.workspaceRoot }
    assert.equal((await api.post('/api/projects', fields)).status, 201)
    assert.deepEqual(fieldsOf(await read('/api/projects/local'), Object.keys(fields)), fields)
  })

  row('2.epic', 'has an identifier, and the stories that name it', async () => {
    assert.equal((await api.post('/api/epics', { id: 'speed', name: 'Speed' })).status, 201)
    await api.post('/api/stories', { id: 'faster', name: 'Faster', epic_id: 'speed' })
    assert.deepEqual(fieldsOf(await read('/api/epics/speed'), ['id', 'stories']), {
      id: 'speed',
      stories: { total: 1, done: 0 },
    })
    const [story] = itemsOf(await read('/api/epics/speed/stories'))
    assert.deepEqual(fieldsOf(story, ['id', 'epic_id']), { id: 'faster', epic_id: 'speed' })
  })
})
