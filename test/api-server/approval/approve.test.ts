// Runs on a real kube-apiserver too.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTIONS, STORIES, TASKS } from '../../../kube/resources.ts'
import { at, textAt } from '../../helpers/kube-http.ts'
import { until } from '../../helpers/until.ts'
import { endDelivery, HEAD, nextDelivery, REFUSED } from '../deliveries.ts'
import { connectLive } from '../live/live-client.ts'
import { type Answer, type Rig, idsOf, itemsOf, startRig } from '../rig.ts'

const REMOTE = 'https://git.example/site.git'

let plans = 0
/** A plan whose branch no other has. */
function aPlan(more: object = {}) {
  return {
    name: 'One-page checkout',
    branch_name: `story/plan-${(plans += 1)}`,
    spec: 'Pay on one page',
    acceptance_criteria: ['paying takes one page'],
    tasks: [
      {
        name: 'Form',
        description: 'build it',
        subtasks: [
          { name: 'Fields', description: 'f' },
          { name: 'Button', description: 'b' },
        ],
      },
      { name: 'Pay', description: 'take money', agent: 'script' },
      { name: 'Thank', description: 'say so' },
    ],
    validation: { type: 'test', steps: ['npm test'], success_criteria: 'green' },
    project_id: 'site',
    ...more,
  }
}

describe('approving a plan over REST', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
    await api.post('/api/projects', { id: 'site', name: 'Site', remote_url: REMOTE, default_branch: 'main' })
  })
  after(() => api.stop())

  const approve = (plan: object): Promise<Answer> => api.post('/api/stories/approve', plan)
  const errorOf = ({ body }: Answer): string => textAt(body, 'error')
  const plansLeft = (): string[] => readdirSync(join(api.volumeRoot, 'plans'))
  const storiesStored = async () => (await api.client.list(STORIES, { namespace: api.namespace })).items

  it('makes a story in BACKLOG with its tasks, each behind the one before, on the project, its branch made first', async () => {
    const plan = aPlan()
    const asked = approve(plan)
    const { spec } = await endDelivery(api)
    const { status, body, headers, text } = await asked
    assert.equal(status, 201, text)
    const id = textAt(body, 'story.id')
    assert.equal(headers.get('location'), `/api/stories/${id}`)
    assert.deepEqual(spec.delivery, { kind: 'CreateBranch', branch: plan.branch_name, base: 'main' })
    assert.deepEqual([spec.storyRef?.name, spec.projectRef?.name, spec.repositoryUrl], [id, 'site', REMOTE])
    const tasks = itemsOf(at(body, 'tasks'))
    assert.deepEqual(
      tasks.map((task) => [at(task, 'name'), at(task, 'depends_on'), at(task, 'parent_task_id'), at(task, 'state')]),
      [
        ['Form', [], undefined, 'PENDING'],
        ['Fields', [], `${id}-t01`, 'PENDING'],
        ['Button', [`${id}-t01-s01`], `${id}-t01`, 'PENDING'],
        ['Pay', [`${id}-t01`], undefined, 'PENDING'],
        ['Thank', [`${id}-t02`], undefined, 'PENDING'],
      ],
    )
    for (const task of tasks)
      assert.deepEqual([at(task, 'project'), at(task, 'repository_url'), at(task, 'story_id')], ['site', REMOTE, id])
    const read = await api.get(`/api/stories/${id}`)
    assert.deepEqual(read.body, at(body, 'story'))
    assert.deepEqual(
      [at(read.body, 'status'), at(read.body, 'root_task_id'), at(read.body, 'tasks.total')],
      ['BACKLOG', `${id}-t01`, 5],
    )
    assert.deepEqual([at(read.body, 'decisions.0.action'), at(read.body, 'decisions.0.by')], ['approve', 'anonymous'])
  })

  it('leaves a story that can be added to: the next task waits for the last of the plan', async () => {
    const asked = approve(aPlan())
    await endDelivery(api)
    const id = textAt((await asked).body, 'story.id')
    const added = await api.post(`/api/stories/${id}/tasks`, { name: 'More' })
    assert.deepEqual(at(added.body, 'depends_on'), [`${id}-t03`])
    const stored = await api.client.get(STORIES, { namespace: api.namespace, name: id })
    assert.deepEqual(stored.status?.branch, { created: true, head: HEAD })
    assert.deepEqual(plansLeft(), [])
  })

  it('shows nothing of the story, nor tells of it, until all of it is there', async () => {
    const live = await connectLive(api.url)
    const asked = approve(aPlan())
    await nextDelivery(api)
    const hidden = (await storiesStored()).find(({ metadata }) => metadata.annotations?.['slipway.dev/approving'])
    const id = hidden?.metadata.name ?? ''
    assert.ok(id !== '')
    for (const path of ['', '/tasks', '/graph']) assert.equal((await api.get(`/api/stories/${id}${path}`)).status, 404)
    assert.ok(!idsOf((await api.get('/api/stories')).body).includes(id))
    assert.equal((await api.put(`/api/stories/${id}`, { priority: 1 })).status, 404)
    assert.equal((await api.delete(`/api/stories/${id}`)).status, 404)
    await endDelivery(api)
    assert.equal((await asked).status, 201)
    await until('it is told', () => live.messages.some(({ story }) => story?.id === id))
    const first = live.messages.find(({ story_id, type }) => story_id === id && type === 'story_updated')
    assert.deepEqual([first?.story?.status, first?.story?.tasks.total, first?.by], ['BACKLOG', 5, 'anonymous'])
    await live.close()
  })

  for (const { more, because } of [
    { more: { project_id: 'nowhere' }, because: /^project_id: project nowhere does not exist$/ },
    { more: { tasks: [{ name: 'x', agent: 'nobody' }] }, because: /^tasks\[0\]\.agent: agent nobody does not exist$/ },
    {
      more: { tasks: [{ name: 'x', subtasks: [{ name: 'y', agent: 'nobody' }] }] },
      because: /^tasks\[0\]\.subtasks\[0\]\.agent: /,
    },
    { more: { tasks: [{ name: 'x', agent: { type: 'nobody' } }] }, because: /^tasks\[0\]\.agent\.type: agent nobody / },
    { more: { tasks: [{ name: 'x', agent: { typ: 'x' } }] }, because: /^tasks\[0\]\.agent\.typ: unknown field$/ },
    { more: { branch_name: 'a..b' }, because: /^branch_name: must not contain/ },
    { more: { branch_name: 'main' }, because: /^branch_name: main is the default branch of project site$/ },
    { more: { tasks: [] }, because: /^tasks: / },
    { more: { taskz: [] }, because: /^taskz: unknown field/ },
    { more: { run_policy: 'sometimes' }, because: /^run_policy: must be one of manual, auto/ },
  ]) {
    it(`refuses ${JSON.stringify(more)} with 400 saying why, and stores nothing`, async () => {
      const before = (await storiesStored()).length
      const answer = await approve(aPlan(more))
      assert.equal(answer.status, 400, answer.text)
      assert.match(errorOf(answer), because)
      assert.equal((await storiesStored()).length, before)
    })
  }

  it('refuses a branch that another story of the project has with 409 naming that story', async () => {
    const { body } = await api.post('/api/stories', { name: 'First', project_id: 'site', branch_name: 'story/taken' })
    const answer = await approve(aPlan({ branch_name: 'story/taken' }))
    assert.equal(answer.status, 409)
    assert.ok(errorOf(answer).includes(`story ${textAt(body, 'id')}`), answer.text)
  })

  it('makes one story of the same plan sent twice at once, and names it to the other', async () => {
    const plan = aPlan()
    const both = [approve(plan), approve(plan)]
    await endDelivery(api)
    const answers = await Promise.all(both)
    const [made, refused] = answers.toSorted((a, b) => a.status - b.status)
    assert.deepEqual([made?.status, refused?.status], [201, 409])
    assert.ok(made !== undefined && refused !== undefined)
    assert.ok(errorOf(refused).includes(textAt(made.body, 'story.id')), refused.text)
  })

  it('makes the ids of the story and its tasks of the name of the story', async () => {
    const asked = approve(aPlan({ name: 'Pay by invoice' }))
    await endDelivery(api)
    const { body } = await asked
    const story = textAt(body, 'story.id')
    assert.match(story, /^pay-by-invoice-[a-z0-9]{5}$/)
    assert.equal(textAt(itemsOf(at(body, 'tasks'))[0], 'id'), `${story}-t01`)
  })

  it('undoes everything when the branch is refused, and says why', async () => {
    const plan = aPlan()
    const asked = approve(plan)
    const execution = await endDelivery(api, REFUSED)
    const answer = await asked
    assert.equal(answer.status, 409, answer.text)
    const branch = `branch ${plan.branch_name} in project site`
    assert.equal(
      errorOf(answer),
      `nothing was approved: ${branch} could not be made: the remote refused the push: pre-receive hook declined`,
    )
    const id = execution.spec.storyRef?.name ?? ''
    assert.ok(!(await storiesStored()).some(({ metadata }) => metadata.name === id))
    const { items } = await api.client.list(TASKS, { namespace: api.namespace, fieldSelector: `spec.storyId=${id}` })
    assert.deepEqual([items, plansLeft()], [[], []])
    const again = approve(plan)
    await endDelivery(api)
    assert.equal((await again).status, 201)
  })

  it('undoes everything when somebody deletes the delivery', async () => {
    const asked = approve(aPlan())
    const { metadata } = await nextDelivery(api)
    await api.client.delete(EXECUTIONS, { namespace: api.namespace, name: metadata.name })
    const answer = await asked
    assert.deepEqual([answer.status, errorOf(answer).endsWith('was deleted')], [409, true], answer.text)
    assert.deepEqual(plansLeft(), [])
  })

  it('lets the tasks start by themselves where that is asked for', async () => {
    const asked = approve(aPlan({ run_policy: 'auto' }))
    await endDelivery(api)
    const tasks = itemsOf(at((await asked).body, 'tasks'))
    const policies = tasks.map((task) => at(task, 'run_policy'))
    assert.deepEqual(policies, ['auto', 'manual', 'manual', 'auto', 'auto'])
  })

  it('names the branch after the story where the plan names none', async () => {
    const { branch_name: _, ...plan } = aPlan()
    const asked = approve(plan)
    await endDelivery(api)
    const { body } = await asked
    assert.equal(at(body, 'story.branch_name'), `story/${textAt(body, 'story.id')}`)
  })
})
