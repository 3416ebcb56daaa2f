/** A release of its own whose data volume is a small disk of this machine that fills up. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectApi } from '../../../core/rest/client/connect.ts'
import { type SmallDisk, mountSmallDisk } from '../../helpers/small-disk.ts'
import { until } from '../../helpers/until.ts'
import { type api, describeOnThisNode, kubectl, kubectlWith, MINUTE, NAMESPACE } from '../cluster.ts'
import { forwardPods } from '../forward.ts'

const run = promisify(execFile)

const NS = `${NAMESPACE}-disk`
const PARTS = 'app.kubernetes.io/name=slipway,app.kubernetes.io/component in (operator,api-server)'
const IN_NS = ['-n', NS] as const

/** The volume and its claim; the claim is the release's `storage.existingClaim`. */
function volumeAt(path: string): object {
  const common = { storageClassName: '', accessModes: ['ReadWriteMany'] }
  const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'small', namespace: NS } }
  const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: NS } }
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } },
    {
      ...volume,
      spec: {
        ...common,
        capacity: { storage: '64Mi' },
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { name: 'small', namespace: NS },
        hostPath: { path, type: 'Directory' },
      },
    },
    { ...claim, spec: { ...common, volumeName: NS, resources: { requests: { storage: '64Mi' } } } },
  ]
  return { apiVersion: 'v1', kind: 'List', items }
}

/** Keeps something in the clone, then waits as long as a drop is there. */
const WAITING = `[ ! -e kept.txt ] || { echo again > again.txt; exit; }; echo kept > kept.txt
  echo waits; while [ -e "$SERVICE_DROP_DIR/wait" ]; do sleep 0.2; done; echo done`
/** Writes until nothing more fits, the first time. */
const GREEDY = `[ ! -e kept.txt ] || exit 0; echo kept > kept.txt; cat /dev/zero > large`

describeOnThisNode('a data volume without room', function () {
  this.timeout(5 * MINUTE)
  let path: string
  let disk: SmallDisk
  let there: typeof api

  const errorOf = async (id: string) => String((await there.getTask({ params: { id } })).error)
  /** Of the API server, which hears of a state a moment after kubectl does. */
  const untilState = (id: string, state: string) =>
    until(`${id} is ${state}`, async () => (await there.getTask({ params: { id } })).state === state, 2 * MINUTE)

  async function submit(id: string, instructions: string): Promise<void> {
    await there.createTask({ body: { id, name: id, project: 'disk', agent: { type: 'worker', instructions } } })
    await there.runTask({ params: { id } })
  }

  before(async () => {
    path = join(mkdtempSync(join(tmpdir(), 'slipway-disk-')), 'volume')
    disk = mountSmallDisk('ext4', path)
    chmodSync(path, 0o777)
    await kubectlWith(JSON.stringify(volumeAt(path)), ...IN_NS, 'apply', '-f', '-')
    await run('test/e2e/install', [NS, '--set', 'storage.existingClaim=small'])
    const encoded = await kubectl(...IN_NS, 'get', 'secret', 'slipway-api-token', '-o', 'jsonpath={.data.token}')
    const url = await forwardPods(NS, 'app.kubernetes.io/component=api-server')
    there = connectApi({ url, token: Buffer.from(encoded, 'base64').toString(), fetch })
    await there.createProject({
      body: { id: 'disk', name: 'disk', remote_url: `http://git-server.${NS}.svc/sample.git` },
    })
    const agent = { adapter: 'script', classifier: { enabled: false }, max_concurrent: 2 } as const
    await there.createAgent({ body: { ...agent, id: 'worker' } })
    const form = new FormData()
    form.append('file', new Blob(['wait']), 'wait')
    await there.uploadDrops({ raw: form })
  })
  after(async () => {
    disk.free()
    await run('helm', ['uninstall', 'slipway', ...IN_NS, '--timeout', '3m'])
    await kubectl('delete', 'namespace', NS, '--timeout=120s')
    await kubectl('delete', 'pv', NS)
    disk.unmount()
  })

  it('fails the task whose agent filled it, with words that name the disk', async () => {
    await submit('waiting', WAITING)
    await until('waiting has begun', () => existsSync(join(path, 'sandboxes/waiting/repo/kept.txt')), MINUTE)
    await submit('greedy', GREEDY)
    await untilState('greedy', 'FAILED')
    assert.match(await errorOf('greedy'), /no space left on device/i)
  })

  it('fails what begins or ends then in the same way; the parts of the release stay up and serve', async () => {
    disk.fill()
    await submit('beginning', 'echo begun > begun.txt')
    await untilState('beginning', 'FAILED')
    assert.match(
      await errorOf('beginning'),
      /^no space is left on the data volume .*: make room on it, then run the task/,
    )
    const form = new FormData()
    form.append('file', new Blob(['x'.repeat(1024 * 1024)]), 'large')
    await assert.rejects(there.uploadDrops({ raw: form }), /no space is left/)
    // Nobody can remove a drop through the API.
    rmSync(join(path, 'drops', 'wait'))
    await untilState('waiting', 'FAILED')
    assert.match(await errorOf('waiting'), /no space (is )?left/i)
    const ready = await kubectl(
      ...IN_NS,
      'get',
      'pods',
      '-l',
      PARTS,
      '-o',
      `jsonpath={..conditions[?(@.type=="Ready")].status}`,
    )
    const restarts = await kubectl(...IN_NS, 'get', 'pods', '-l', PARTS, '-o', 'jsonpath={..restartCount}')
    assert.deepEqual([ready, restarts], ['True True True True', '0 0 0 0'])
  })

  it('goes on when there is room: each task ends, in the workspace that it had', async () => {
    disk.free()
    rmSync(join(path, 'sandboxes/greedy/repo/large'))
    for (const id of ['greedy', 'waiting', 'beginning']) await there.resumeTask({ params: { id } })
    for (const id of ['greedy', 'waiting', 'beginning']) await untilState(id, 'READY')
    const show = ['exec', 'git-server', '--', 'git', '-C', '/repositories/sample.git', 'show'] as const
    assert.equal(await kubectl(...IN_NS, ...show, 'slipway/waiting:kept.txt'), 'kept\n')
    assert.equal(await kubectl(...IN_NS, ...show, 'slipway/beginning:begun.txt'), 'begun\n')
  })
})
