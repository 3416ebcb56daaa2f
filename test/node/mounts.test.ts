import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pod, Volume, VolumeMount } from '../../kube/builtin.ts'
import { type Mounts, prepareMounts, removeVolumes } from '../../node/mounts.ts'
import { ContainerConfigError, ContainerRefused } from '../../node/errors.ts'
import { newRoot } from './given.ts'

describe('the mounts of a container', () => {
  let root: string
  beforeEach(async () => {
    root = await newRoot()
    await mkdir(join(root, 'volume', 'inside'), { recursive: true })
    await mkdir(join(root, 'outside'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const secrets = new Map([['keys', new Map([['token', Buffer.from('s3cret')]])]])
  function prepare(
    volume: Omit<Volume, 'name'>,
    mount: Partial<VolumeMount>,
    runtime: 'process' | 'bwrap',
  ): Promise<Mounts> {
    const container = { name: 'main', volumeMounts: [{ name: 'v', mountPath: join(root, 'volume'), ...mount }] }
    const pod: Pod = {
      metadata: { name: 'pod', uid: 'u-1' },
      spec: { containers: [container], volumes: [{ name: 'v', ...volume }] },
    }
    const settings = {
      dir: join(root, 'node'),
      claims: { data: join(root, 'volume') },
      secretsRoot: join(root, 'secrets'),
    }
    return prepareMounts(pod, container, { secrets, configMaps: new Map() }, { ...settings, runtime })
  }
  const claim = { persistentVolumeClaim: { claimName: 'data' } }

  it('are where the host has them, for a plain process', async () => {
    const { mounts } = await prepare(claim, { mountPath: join(root, 'volume', 'inside'), subPath: 'inside' }, 'process')
    assert.deepEqual(
      mounts.map(({ source }) => source),
      [join(root, 'volume', 'inside')],
    )
  })

  it('are refused to a plain process when they would be elsewhere, naming the mount', async () => {
    await assert.rejects(prepare(claim, { mountPath: '/data' }, 'process'), (error: unknown) => {
      assert.ok(error instanceof ContainerRefused)
      assert.match(error.message, /^mount v: mountPath \/data differs from the host path/)
      return true
    })
  })

  it('are bound anywhere in a sandbox, read-only where asked', async () => {
    const { mounts } = await prepare(claim, { mountPath: '/data', readOnly: true }, 'bwrap')
    assert.deepEqual(mounts, [{ source: join(root, 'volume'), mountPath: '/data', readOnly: true }])
  })

  it('make a subPath that is missing', async () => {
    const { mounts } = await prepare(claim, { mountPath: '/data', subPath: 'new/deep' }, 'bwrap')
    assert.ok((await stat(mounts[0]?.source ?? '')).isDirectory())
  })

  for (const subPath of ['..', '../outside', 'inside/../../outside', '/../outside', 'link', 'link/new']) {
    it(`refuse the subPath ${subPath}, which leaves the volume, and make nothing`, async () => {
      await symlink(join(root, 'outside'), join(root, 'volume', 'link'))
      await assert.rejects(prepare(claim, { mountPath: '/data', subPath }, 'bwrap'), ContainerRefused)
      assert.deepEqual(await readdir(join(root, 'outside')), [])
    })
  }

  it('wait for a claim that this node does not have', async () => {
    const volume = { persistentVolumeClaim: { claimName: 'other' } }
    await assert.rejects(
      prepare(volume, {}, 'process'),
      new ContainerConfigError('persistentvolumeclaim "other" not found'),
    )
  })

  it('give a plain process its emptyDir as TMPDIR', async () => {
    const { mounts, temporary } = await prepare({ emptyDir: {} }, { mountPath: '/tmp' }, 'process')
    assert.deepEqual(mounts, [])
    assert.ok((await stat(temporary ?? '')).isDirectory())
    await removeVolumes(join(root, 'node'), 'u-1')
    await assert.rejects(stat(temporary ?? ''), { code: 'ENOENT' })
  })

  it('write a Secret for its owner alone, and remove it with the pod', async () => {
    const mountPath = join(root, 'secrets', 'git')
    await prepare({ secret: { secretName: 'keys' } }, { mountPath }, 'process')
    const file = join(mountPath, 'token')
    assert.deepEqual([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777], ['s3cret', 0o400])
    await removeVolumes(join(root, 'node'), 'u-1')
    await assert.rejects(stat(mountPath), { code: 'ENOENT' })
  })

  it('refuse a Secret outside the folder for them, and touch nothing there', async () => {
    await writeFile(join(root, 'outside', 'token'), 'theirs')
    const mount = { mountPath: join(root, 'outside') }
    await assert.rejects(prepare({ secret: { secretName: 'keys' } }, mount, 'process'), ContainerRefused)
    assert.equal(await readFile(join(root, 'outside', 'token'), 'utf8'), 'theirs')
  })

  it('wait for a key of a Secret that is not there', async () => {
    const secret = { secretName: 'keys', items: [{ key: 'none', path: 'x' }] }
    const message = 'references non-existent secret key: none'
    await assert.rejects(prepare({ secret }, { mountPath: '/s' }, 'bwrap'), new ContainerConfigError(message))
  })

  it('refuse a path in a Secret that leaves its folder', async () => {
    const secret = { secretName: 'keys', items: [{ key: 'token', path: '../../x' }] }
    await assert.rejects(prepare({ secret }, { mountPath: '/s' }, 'bwrap'), ContainerRefused)
  })
})
