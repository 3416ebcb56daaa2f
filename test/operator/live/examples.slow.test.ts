/** The manifests of examples/, applied as they are written; only the namespace and the repository are the test's own. */
import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { needKubectl } from '../../helpers/kubectl.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { type LiveProgram, startLiveProgram } from './program.ts'

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url))
const TASK = 'task.slipway.dev/rename-cart'

describe('the examples', function () {
  let live: LiveProgram
  before(async function () {
    await needKubectl(this)
    live = await startLiveProgram()
  })
  after(() => live?.end())

  /** A folder that takes one of examples/gitops as its base. */
  const overlay = async (name: string, target: object, patch: object): Promise<string> => {
    const folder = join(live.folder, name)
    await mkdir(folder, { recursive: true })
    const kustomization = {
      namespace: live.namespace,
      resources: [relative(folder, join(EXAMPLES, 'gitops', name))],
      patches: [{ target, patch: stringify(patch) }],
    }
    await writeFile(join(folder, 'kustomization.yaml'), stringify(kustomization))
    return folder
  }
  const decide = (action: string, id: string): Promise<string> =>
    overlay('work', { kind: 'Task', name: 'rename-cart' }, [
      { op: 'replace', path: '/metadata/annotations/slipway.dev~1action', value: action },
      { op: 'replace', path: '/metadata/annotations/slipway.dev~1action-id', value: id },
    ])
  const isTrue = (object: string, condition: string, timeout = '60s'): Promise<string> =>
    live.kubectl('wait', object, `--for=${condition}`, `--timeout=${timeout}`)

  it('for one machine are taken by the API server, each file', async () => {
    const files = (await readdir(EXAMPLES)).filter((name) => name.endsWith('.yaml'))
    assert.ok(files.length >= 3)
    for (const file of files) {
      const answer = await live.kubectl('apply', '--dry-run=server', '-f', join(EXAMPLES, file))
      assert.match(answer, /created \(server dry run\)/)
    }
  })

  it('for GitOps run a story: the agent is Ready, the tasks follow one another, and a commit accepts', async () => {
    const remote = makeRemote(live.folder, { 'src/shop.js': 'const basket = []\n' })
    const url = { op: 'replace', path: '/spec/remoteUrl', value: remote.path }
    await live.kubectl('apply', '-k', await overlay('setup', { kind: 'Project' }, [url]))
    await isTrue('project.slipway.dev/shop', 'condition=Ready')
    await isTrue('agent.slipway.dev/codemods', 'condition=Ready')
    const work = await decide('run', 'start-rename-2026-11-22')
    await live.kubectl('apply', '-k', work)
    await isTrue(TASK, 'condition=Ready')
    await isTrue('task.slipway.dev/check-cart', 'condition=Ready')
    assert.equal(await live.kubectl.diff('-k', work), '')
    await live.kubectl('apply', '-k', await decide('accept', 'accept-rename'))
    await isTrue(TASK, 'jsonpath={.status.state}=COMPLETED')
    assert.equal(await live.kubectl.diff('-k', work), '')
    assert.equal(remote.git('show', 'story/one-cart:src/shop.js'), 'const cart = []')
  })
})
