import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toTimestamp } from '../../core/time.ts'
import type { Pod } from '../../kube/builtin.ts'
import { PODS, SECRETS } from '../../kube/resources.ts'
import { open } from 'lmdb'
import { containerPaths, volumesDir } from '../../node/layout.ts'
import { until } from '../helpers/until.ts'
import { type GivenNode, givenNode, script } from './given.ts'

const terminatedOf = (pod: Pod) => pod.status?.containerStatuses?.[0]?.state?.terminated
const conditionsOf = (pod: Pod) =>
  Object.fromEntries((pod.status?.conditions ?? []).map(({ type, status }) => [type, status]))

describe('a pod on the node', () => {
  let given: GivenNode
  beforeEach(async () => {
    given = await givenNode()
  })
  afterEach(() => given.end())

  it('runs its init containers one after another, then its main container, and succeeds', async () => {
    const order = join(given.volume, 'order')
    await given.run({
      initContainers: [script('one', `sleep 0.1; echo one >>${order}`), script('two', `echo two >>${order}`)],
      script: `echo main >>${order}`,
    })
    const pod = await given.finished('pod')
    assert.equal(pod.status?.phase, 'Succeeded')
    assert.equal(await readFile(order, 'utf8'), 'one\ntwo\nmain\n')
    assert.deepEqual(
      pod.status?.initContainerStatuses?.map(({ name, ready }) => [name, ready]),
      [
        ['one', true],
        ['two', true],
      ],
    )
  })

  it('is Pending while an init container runs, and Running and Ready while its main container does', async () => {
    const gate = join(given.volume, 'gate')
    const wait = (name: string): string => `until [ -e ${gate}-${name} ]; do sleep 0.02; done`
    await given.run({ initContainers: [script('init', wait('init'))], script: wait('main') })
    const init = () => given.api.getPod('pod').status?.initContainerStatuses?.[0]?.state?.running
    await until('the init container runs', () => init() !== undefined)
    const pending = given.api.getPod('pod')
    assert.deepEqual([pending.status?.phase, conditionsOf(pending)['Initialized']], ['Pending', 'False'])
    await given.run({ name: 'opener', script: `touch ${gate}-init` })
    const running = await given.running('pod')
    assert.deepEqual(conditionsOf(running), {
      PodScheduled: 'True',
      Initialized: 'True',
      Ready: 'True',
      ContainersReady: 'True',
    })
    await given.run({ name: 'closer', script: `touch ${gate}-main` })
    assert.equal(conditionsOf(await given.finished('pod'))['Ready'], 'False')
  })

  it('leaves none of its own volumes behind when it has ended, though its Pod stays', async () => {
    await given.run({
      volumes: [{ name: 'own', emptyDir: {} }],
      container: { volumeMounts: [{ name: 'own', mountPath: '/tmp' }] },
      script: 'echo mine > "$TMPDIR/file"',
    })
    const { metadata, status } = await given.finished('pod')
    assert.equal(status?.phase, 'Succeeded')
    await until('its volumes are gone', () => !existsSync(volumesDir(given.dir, metadata.uid ?? '')))
  })

  it('inherits no file that this process has open, not even one without close-on-exec', async () => {
    const database = open({ path: join(given.root, 'database'), noSubdir: true })
    try {
      await given.run({ script: 'ls -l /proc/self/fd; echo listed' })
      const { metadata } = await given.finished('pod')
      const opened = await readFile(containerPaths(given.dir, metadata.uid ?? '', 'main').log, 'utf8')
      assert.match(opened, /listed/)
      assert.doesNotMatch(opened, /database/)
    } finally {
      await database.close()
    }
  })

  it('does not start its main container after an init container failed', async () => {
    await given.run({ initContainers: [script('init', 'exit 3')], script: `touch ${given.volume}/main` })
    const pod = await given.finished('pod')
    assert.deepEqual(
      [pod.status?.phase, pod.status?.initContainerStatuses?.[0]?.state?.terminated?.exitCode],
      ['Failed', 3],
    )
    assert.deepEqual(pod.status?.containerStatuses?.[0]?.state, { waiting: { reason: 'PodInitializing' } })
  })

  it('fails with the exit code of its container and what it wrote as termination message', async () => {
    await given.run({ script: 'printf "out of luck" >"$TERMINATION_MESSAGE_PATH"; exit 7' })
    const pod = await given.finished('pod')
    const terminated = terminatedOf(pod)
    assert.deepEqual(
      [pod.status?.phase, terminated?.exitCode, terminated?.reason, terminated?.message],
      ['Failed', 7, 'Error', 'out of luck'],
    )
  })

  it('gets at most 4096 bytes of its termination message reported', async () => {
    await given.run({ script: 'printf %05000d 0 >"$TERMINATION_MESSAGE_PATH"' })
    assert.equal(terminatedOf(await given.finished('pod'))?.message?.length, 4096)
  })

  it('gets the end of its log as message when it fails without one and asks for that', async () => {
    await given.run({
      script: 'echo first; echo the reason >&2; exit 1',
      container: { terminationMessagePolicy: 'FallbackToLogsOnError' },
    })
    assert.equal(terminatedOf(await given.finished('pod'))?.message, 'first\nthe reason\n')
  })

  it('whose command does not exist fails with exit code 128 and the reason in words', async () => {
    await given.run({ container: { command: ['no-such-program'] } })
    const terminated = terminatedOf(await given.finished('pod'))
    assert.deepEqual(
      [terminated?.exitCode, terminated?.reason, terminated?.message],
      [128, 'StartError', 'exec: "no-such-program": executable file not found in $PATH'],
    )
  })

  it('waits for a missing Secret, saying so, and starts once it is there', async () => {
    const valueFrom = { secretKeyRef: { name: 'later', key: 'word' } }
    await given.run({
      script: 'echo "$WORD" >"$TERMINATION_MESSAGE_PATH"',
      container: { env: [{ name: 'WORD', valueFrom }] },
    })
    const waiting = () => given.api.getPod('pod').status?.containerStatuses?.[0]?.state?.waiting
    await until('the pod waits for the Secret', () => waiting()?.reason === 'CreateContainerConfigError')
    assert.equal(waiting()?.message, 'secret "later" not found')
    const data = { word: Buffer.from('hello').toString('base64') }
    given.api.put(SECRETS, { metadata: { name: 'later', namespace: 'default' }, data } as never)
    assert.equal(terminatedOf(await given.finished('pod'))?.message, 'hello\n')
  })

  it('fails with DeadlineExceeded and is ended when it runs longer than its deadline', async () => {
    await given.run({ script: 'sleep 600', activeDeadlineSeconds: 300 })
    await given.running('pod')
    // Its time was up before it began if one second from its start had to do on a machine that does much else.
    await given.node.stop()
    const status = { startTime: toTimestamp(new Date(Date.now() - 299_000)) }
    const key = { namespace: 'default', name: 'pod' }
    await given.api.client.mergePatch(PODS, key, { status }, { subresource: 'status' })
    await given.again()
    const pod = await given.finished('pod')
    assert.deepEqual(
      [pod.status?.phase, pod.status?.reason, terminatedOf(pod)?.exitCode],
      ['Failed', 'DeadlineExceeded', 143],
    )
  })

  it('starts a failed container again under OnFailure, and counts it', async () => {
    const flag = join(given.volume, 'flag')
    await given.run({ restartPolicy: 'OnFailure', script: `[ -e ${flag} ] || { touch ${flag}; exit 5; }` })
    const status = (await given.finished('pod')).status?.containerStatuses?.[0]
    assert.deepEqual(
      [status?.restartCount, status?.lastState?.terminated?.exitCode, status?.state?.terminated?.exitCode],
      [1, 5, 0],
    )
  })

  it('with two main containers succeeds only when both did', async () => {
    await given.run({ containers: [script('good', 'true'), script('bad', 'exit 2')] })
    assert.equal((await given.finished('pod')).status?.phase, 'Failed')
  })
})
