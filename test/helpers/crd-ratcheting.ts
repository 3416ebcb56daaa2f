import assert from 'node:assert/strict'
import type { AgentSpec, Project, Task } from '../../core/crd/types.ts'
import { API_VERSION } from '../../core/names.ts'
import type { CustomResourceDefinition } from '../../kube/builtin.ts'
import { AGENTS, CRDS, PROJECTS, TASKS } from '../../kube/resources.ts'
import { type KubeClient, KubeError } from '../../kube/types.ts'
import { type CrdTarget, applyCrds } from './crd-suite.ts'
import { until } from './until.ts'

/** Each breaks a rule that came later. */
const TITLE = 'fix \u202elogin'
const REMOTE = 'ssh://u@-oProxyCommand=x/a'

/** What any API server must make of objects that were stored before our CRDs became stricter. */
export function describeRatcheting(target: () => CrdTarget): void {
  const key = (name: string) => ({ name, namespace: target().namespace })
  const isRefused = (text: string) => (error: unknown) =>
    error instanceof KubeError && error.status === 422 && error.message.includes(text)

  before(async () => {
    const { client, namespace } = target()
    for (const name of ['tasks', 'projects', 'agents']) await relaxCrd(client, `${name}.slipway.dev`)
    const task = { apiVersion: API_VERSION, kind: 'Task', metadata: key('old'), spec: { title: TITLE } } as const
    const project = {
      apiVersion: API_VERSION,
      kind: 'Project',
      metadata: key('old'),
      spec: { title: TITLE, remoteUrl: REMOTE },
    } as const
    const files: AgentSpec['credentials'] = { secretName: 's', files: [{ key: 'k', path: '.' }] }
    const spec = { adapter: 'script', credentials: files } as const
    await until('the CRDs are relaxed', () => takes(() => client.create<Task>(TASKS, task)))
    await until('the CRDs are relaxed', () => takes(() => client.create<Project>(PROJECTS, project)))
    const agent = { apiVersion: API_VERSION, kind: 'Agent', metadata: key('old'), spec } as const
    await until('the CRDs are relaxed', () => takes(() => client.create(AGENTS, agent)))
    await applyCrds(client, namespace)
    const another = { ...task, metadata: key('new') }
    await until('the rules hold again', async () => !(await takes(() => client.create<Task>(TASKS, another, DRY_RUN))))
  })

  it('writes the status of a task whose title would be refused today', async () => {
    const { client } = target()
    const written = await client.mergePatch(TASKS, key('old'), { status: { state: 'QUEUED' } }, STATUS)
    assert.deepEqual([written.status?.state, written.spec.title], ['QUEUED', TITLE])
  })

  it('changes another field of it, and lets it be written whole with the title as it was', async () => {
    const { client } = target()
    await client.mergePatch(TASKS, key('old'), { spec: { priority: 3 } })
    const task = await client.get(TASKS, key('old'))
    const written = await client.replace(TASKS, { ...task, spec: { ...task.spec, description: 'more' } })
    assert.deepEqual([written.spec.title, written.spec.priority, written.spec.description], [TITLE, 3, 'more'])
  })

  it('takes a better title for it, and no other that would be refused', async () => {
    const { client } = target()
    const rename = (title: string) => client.mergePatch(TASKS, key('old'), { spec: { title } })
    await assert.rejects(rename(`${TITLE}!`), isRefused('title must not contain characters that turn the direction'))
    assert.equal((await rename('fix login')).spec.title, 'fix login')
    await assert.rejects(rename(TITLE), isRefused('title must not contain'))
  })

  it('changes a project and an agent in what was always right', async () => {
    const { client } = target()
    const project = await client.mergePatch(PROJECTS, key('old'), { spec: { testCommand: 'true' } })
    assert.deepEqual([project.spec.remoteUrl, project.spec.testCommand], [REMOTE, 'true'])
    const agent = await client.mergePatch(AGENTS, key('old'), { spec: { defaultModel: 'm' } })
    assert.deepEqual([agent.spec.credentials?.files?.[0]?.path, agent.spec.defaultModel], ['.', 'm'])
    const files = [
      { key: 'k', path: '.' },
      { key: 'k', path: 'x' },
    ]
    await assert.rejects(
      client.mergePatch(AGENTS, key('old'), { spec: { credentials: { files } } }),
      isRefused('spec.credentials.files[0].path'),
    )
    const remoteUrl = 'javascript:alert(1)'
    await assert.rejects(client.mergePatch(PROJECTS, key('old'), { spec: { remoteUrl } }), isRefused('spec.remoteUrl'))
  })
}

/** Makes a CRD one from before all patterns and rules. */
export async function relaxCrd(client: KubeClient, name: string): Promise<void> {
  const crd = await client.get(CRDS, { name })
  const text = JSON.stringify(crd, (field, value: unknown) => (STRICT.includes(field) ? undefined : value))
  await client.replace(CRDS, JSON.parse(text) as CustomResourceDefinition)
}

const STRICT = ['pattern', 'x-kubernetes-validations']
const STATUS = { subresource: 'status' } as const
const DRY_RUN = { dryRun: true } as const

/** Whether a write is taken; false while it is refused by a rule, for a change of a CRD takes a moment. */
export async function takes(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    if (error instanceof KubeError && error.status === 422) return false
    throw error
  }
}
