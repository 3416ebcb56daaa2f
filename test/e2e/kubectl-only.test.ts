import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import { GIT_SERVER, kubectl, kubectlWith, MINUTE, podsOf } from './cluster.ts'

const PROJECT = `
apiVersion: slipway.dev/v1alpha1
kind: Project
metadata: { name: by-kubectl }
spec: { title: By kubectl, remoteUrl: 'http://${GIT_SERVER}/sample.git' }
`

function manifest(name: string, script: string, more: readonly string[] = []): string {
  return `
apiVersion: slipway.dev/v1alpha1
kind: Task
metadata: { name: ${name} }
spec:
  title: Task ${name}
  project: by-kubectl
${more.map((line) => `  ${line}\n`).join('')}  agent:
    type: script
    instructions: |
      ${script.split('\n').join('\n      ')}
`
}

/** A script begins at the top at each start; the home that a resume keeps says how far it was. */
const ENDLESS = `if [ -e "$HOME/begun" ]; then echo went on; exit 0; fi
echo begun | tee "$HOME/begun"
sleep 600`

const ASKING = `if [ -n "\${SERVICE_ANSWER:-}" ]; then echo "$SERVICE_ANSWER" > answer.txt; exit 0; fi
echo '{"text": "Tabs or spaces?", "options": ["tabs", "spaces"]}' > "$SERVICE_QUESTION_FILE"`

const apply = (...manifests: readonly string[]) => kubectlWith(manifests.join('---'), 'apply', '-f', '-')

/** The action of docs/resources/task.md, with its further annotations. */
const annotate = (task: string, action: string, ...more: readonly string[]) =>
  kubectl('annotate', 'task.slipway.dev', task, `slipway.dev/action=${action}`, ...more)

const waitFor = (task: string, condition: string) =>
  kubectl('wait', `task.slipway.dev/${task}`, `--for=${condition}`, '--timeout=120s')

const waitForState = (task: string, state: string) => waitFor(task, `jsonpath={.status.state}=${state}`)

/** The line of an object, as a person sees it, by its columns. */
async function row(kind: string, name: string, ...args: readonly string[]): Promise<Record<string, string>> {
  const [heads = '', cells = ''] = (await kubectl('get', kind, name, ...args)).split('\n')
  const columns = [...heads.matchAll(/\S+(?: \S+)*/g)].map(({ 0: head, index }) => ({ head, index }))
  return Object.fromEntries(
    columns.map(({ head, index }, n) => [head, cells.slice(index, columns[n + 1]?.index).trim()]),
  )
}

/** What one sees without a word of REST: all of it are commands that docs/resources shows. */
describe('a task with kubectl alone', function () {
  this.timeout(4 * MINUTE)

  before(() =>
    apply(
      PROJECT,
      manifest('k-base', 'echo from the base; echo base > base.txt'),
      manifest('k-next', 'echo next > next.txt', ['runPolicy: Auto', 'dependsOn: [k-base]']),
    ),
  )

  it('is PENDING until somebody runs it, and what depends on it says so', async () => {
    await waitForState('k-next', 'QUEUED')
    await waitFor('k-base', 'jsonpath={.status.state}=PENDING')
    const next = await row('tasks.slipway.dev', 'k-next')
    assert.deepEqual(
      [next['STATE'], next['WAITING FOR']],
      ['QUEUED', 'waits for task k-base (PENDING, waits for run); start it: slipway restart k-base'],
    )
  })

  it('runs in a pod when it is told to, and so does then what waited for it', async () => {
    await annotate('k-base', 'run')
    await kubectl('wait', 'task.slipway.dev/k-base', 'task.slipway.dev/k-next', '--for=condition=Ready', '--timeout=2m')
    assert.match(await kubectl('logs', 'job/k-base-1-run', '-c', 'agent'), /^from the base$/m)
    assert.equal((await row('executions.slipway.dev', 'k-next-1'))['STATE'], 'COMPLETED')
    const ready = await kubectl('get', 'tasks.slipway.dev', '--field-selector', 'status.state=READY', '-o', 'name')
    for (const name of ['k-base', 'k-next']) assert.match(ready, new RegExp(`^task.slipway.dev/${name}$`, 'm'))
  })

  it('is accepted, and its Events say by whom', async () => {
    await annotate('k-base', 'accept')
    await waitForState('k-base', 'COMPLETED')
    const told = /Accept .* task accepted by kubectl \(annotation\)/
    await until('it is told', async () => told.test(await kubectl('describe', 'task.slipway.dev', 'k-base')), MINUTE)
  })

  it('is rejected with feedback, changed, run again, and READY with the new work', async () => {
    await annotate('k-next', 'reject', 'slipway.dev/comment=Say two')
    await waitForState('k-next', 'PENDING')
    assert.match(await kubectl('describe', 'task.slipway.dev', 'k-next'), /Rejection Comment: +Say two/)
    await apply(manifest('k-next', 'echo two > next.txt', ['runPolicy: Auto', 'dependsOn: [k-base]']))
    await annotate('k-next', 'run')
    await kubectl('wait', '--for=create', 'execution.slipway.dev/k-next-2', '--timeout=60s')
    await waitFor('k-next', 'condition=Ready')
    const wide = await row('tasks.slipway.dev', 'k-next', '-o', 'wide')
    assert.deepEqual([wide['STATE'], wide['EXECUTION'], wide['PROJECT']], ['READY', 'k-next-2', 'by-kubectl'])
  })

  it('asks a question that kubectl shows, and goes on with the answer', async () => {
    await apply(manifest('k-asking', ASKING, ['runPolicy: Auto']))
    await waitForState('k-asking', 'BLOCKED')
    assert.match((await row('tasks.slipway.dev', 'k-asking'))['WAITING FOR'] ?? '', /Tabs or spaces\?/)
    await annotate('k-asking', 'answer', 'slipway.dev/answer=spaces')
    await waitFor('k-asking', 'condition=Ready')
    assert.match(await kubectl('describe', 'task.slipway.dev', 'k-asking'), /Comment: +spaces/)
  })

  it('is cancelled, its pod with it, and goes on where it was when it is resumed', async () => {
    await apply(manifest('k-endless', ENDLESS, ['runPolicy: Auto']))
    await kubectl('wait', '--for=create', 'job/k-endless-1-run', '--timeout=60s')
    const log = () => kubectl('logs', 'job/k-endless-1-run', '-c', 'agent').catch(String)
    await until('it has begun', async () => /^begun$/m.test(await log()), MINUTE)
    await annotate('k-endless', 'cancel')
    await waitForState('k-endless', 'CANCELLED')
    await kubectl('wait', '--for=delete', 'pods', '-l', 'slipway.dev/task=k-endless', '--timeout=60s')
    await annotate('k-endless', 'resume')
    await waitFor('k-endless', 'condition=Ready')
    assert.match(await kubectl('logs', 'job/k-endless-2-run', '-c', 'agent'), /^went on$/m)
  })

  it('says at kubectl get why it failed, and at kubectl describe what to do', async () => {
    await apply(manifest('k-failing', 'echo no such thing >&2; exit 3', ['runPolicy: Auto']))
    await waitFor('k-failing', 'condition=Stalled')
    const wide = await row('tasks.slipway.dev', 'k-failing', '-o', 'wide')
    assert.deepEqual([wide['STATE'], wide['ERROR']], ['FAILED', 'failed'])
    assert.match(await kubectl('describe', 'task.slipway.dev', 'k-failing'), /the script exited 3: no such thing/)
  })

  it('tells in an Event of an action that is refused', async () => {
    await annotate('k-base', 'cancel')
    const refused = /ActionRefused .* task cannot be cancelled from state COMPLETED/
    await until('it is told', async () => refused.test(await kubectl('describe', 'task.slipway.dev', 'k-base')), MINUTE)
  })

  it('is gone when it is deleted, with its executions, Jobs and pods', async () => {
    const names = ['k-base', 'k-next', 'k-asking', 'k-endless', 'k-failing']
    await kubectl('delete', 'tasks.slipway.dev', ...names, '--timeout=60s')
    await kubectl('delete', 'project.slipway.dev', 'by-kubectl')
    const label = `slipway.dev/task in (${names.join(', ')})`
    await kubectl('wait', '--for=delete', 'executions,jobs,pods', '-l', label, '--timeout=60s')
    for (const name of names) assert.deepEqual(await podsOf(name), [])
  })
})
