/** What tasks can do to prepared environments from real sandboxes; run by .ci/run, which installs bubblewrap. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Recipe } from '../../core/environment/recipe.ts'
import { containerPaths } from '../../node/layout.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { makeRemote, type Remote } from '../helpers/repository.ts'
import { type GivenNode, givenNode } from '../node/given.ts'
import { aPrepare, aRecipe, aTask, FOLDER, mountedOf, readPrepared, readSeal } from '../runner/environment/given.ts'
import type { TestExecution } from '../runner/execution.ts'

interface Mount {
  readonly subPath: string
  readonly at?: string
  readonly readOnly?: boolean
}

describe('a prepared environment, and a task that wants to poison it,', () => {
  let given: GivenNode
  let remote: Remote
  before(async function () {
    await needBwrap(this)
  })
  beforeEach(async () => {
    given = await givenNode({ runtime: 'bwrap' })
    remote = makeRemote(given.root, { a: 'a' })
  })
  afterEach(() => given.end())

  let pods = 0
  /** Runs bash where only these parts of the volume are, at their own paths unless another is given. */
  async function inSandbox(mounts: readonly Mount[], script: string): Promise<string> {
    const name = `pod-${(pods += 1)}`
    const volumeMounts = mounts.map(({ subPath, at = subPath, readOnly = false }) => ({
      name: 'data',
      subPath,
      mountPath: join(given.volume, at),
      readOnly,
    }))
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    await given.run({ name, volumes, container: { volumeMounts }, script })
    const { metadata } = await given.finished(name)
    return readFile(containerPaths(given.dir, metadata.uid ?? '', 'main').log, 'utf8')
  }
  /** As the agent's step of a task sees the volume. */
  const agentMounts = (readOnly: Readonly<Record<number, string>> = {}): Mount[] => [
    { subPath: 'sandboxes/demo' },
    { subPath: 'executions/demo-1/agent' },
    ...Object.entries(readOnly).map(([place, at]) => ({
      subPath: `${FOLDER}/${place}`,
      at: `sandboxes/demo/${at}`,
      readOnly: true,
    })),
  ]
  async function prepare(recipe: Recipe): Promise<TestExecution> {
    const execution = aPrepare(given.root, remote, recipe)
    const end = await execution.all()
    assert.equal(end.exitCode, 0, end.stderr)
    return execution
  }
  async function taskWith(recipe: Recipe, name = 'demo-1'): Promise<TestExecution> {
    const mounted = { folder: FOLDER, digest: readSeal({ volume: given.volume }).digest }
    const task = aTask(given.root, remote, 'true', { recipe, mounted }, { execution: name })
    const end = await task.step('prepare')
    assert.equal(end.exitCode, 0, end.stderr)
    return task
  }
  const fingerprint = (): string => {
    const hash = createHash('sha256')
    const look = (path: string): void => {
      const stat = lstatSync(path)
      hash.update(`${path} ${stat.mode} ${stat.mtimeMs} ${stat.nlink}\n`)
      if (stat.isSymbolicLink()) hash.update(readlinkSync(path))
      else if (stat.isDirectory()) for (const name of readdirSync(path).sort()) look(join(path, name))
      else hash.update(readFileSync(path))
    }
    look(join(given.volume, FOLDER))
    return hash.digest('hex')
  }

  it('keeps a ReadOnly cache as it was, whatever the task tries', async () => {
    const setup = 'mkdir -p store/sub; echo good > store/sub/lib.js; chmod 755 store/sub/lib.js'
    const recipe = aRecipe({ setup, cache: [{ path: 'store', mode: 'ReadOnly' }] })
    await prepare(recipe)
    const { clone } = await taskWith(recipe)
    const before = fingerprint()
    const store = join(clone, 'store')
    const output = await inSandbox(
      agentMounts({ 0: 'repo/store' }),
      `cd ${clone}; exec 2>/dev/null
cat store/sub/lib.js
try() { if "$@"; then echo "could: $*"; fi; }
try bash -c 'echo bad > store/sub/lib.js'
try bash -c 'echo bad >> store/new.js'
try chmod 777 store/sub/lib.js
try touch store/sub/lib.js
try rm store/sub/lib.js
try mv store/sub store/sub2
try mv store away
try rm -rf store
try ln store/sub/lib.js linked
try ln store/sub/lib.js store/linked
try rmdir store
try ln -sfn /tmp store
try mount -o remount,rw ${store}
try mount -o remount,rw,bind ${store}
try umount ${store}
try unshare -Urm mount -o remount,rw,bind ${store}
try unshare -Urm umount ${store}
try bash -c 'echo bad > /proc/self/root${store}/sub/lib.js'
try bash -c 'echo bad > /proc/self/cwd/store/sub/lib.js'
try bash -c 'exec 9<store/sub/lib.js; echo bad > /proc/self/fd/9'
for p in /proc/[0-9]*; do try bash -c "echo bad > $p/root${store}/sub/lib.js"; done
cp -r store copy && echo bad > copy/sub/lib.js
cat store/sub/lib.js`,
    )
    assert.equal(output, 'good\ngood\n')
    assert.equal(fingerprint(), before)
  })

  it('keeps a ReadOnly cache where the task moves what it lies in, and mounts it again for the next run', async () => {
    const recipe = aRecipe({
      setup: 'mkdir -p apps/store; echo good > apps/store/f',
      cache: [{ path: 'apps/store', mode: 'ReadOnly' }],
    })
    await prepare(recipe)
    const task = await taskWith(recipe)
    const before = fingerprint()
    await inSandbox(
      agentMounts({ 0: 'repo/apps/store' }),
      `cd ${task.clone}; mv apps moved; echo bad > moved/store/f; mkdir other; echo bad > other/f; ln -s other apps; true`,
    )
    assert.equal(fingerprint(), before)
    assert.equal((await task.step('prepare', { jobNumber: 2, keepClone: true })).exitCode, 0)
    const output = await inSandbox(agentMounts({ 0: 'repo/apps/store' }), `cat ${task.clone}/apps/store/f`)
    assert.equal(output, 'good\n')
    assert.equal(fingerprint(), before)
  })

  it('gives each task a copy, which nobody else sees the changes of', async () => {
    const recipe = aRecipe({ setup: 'mkdir c; echo good > c/f; ln c/f c/same', cache: [{ path: 'c', mode: 'Copy' }] })
    await prepare(recipe)
    const { clone } = await taskWith(recipe)
    const before = fingerprint()
    assert.equal(await inSandbox(agentMounts(), `cd ${clone}; echo bad > c/f; chmod 777 c; cat c/f`), 'bad\n')
    assert.equal(fingerprint(), before)
    const next = await taskWith(recipe, 'demo-2')
    assert.equal(await inSandbox(agentMounts(), `cat ${next.clone}/c/f`), 'good\n')
  })

  it('is not to be seen in a sandbox but for what is mounted, neither from a task nor from a setup', async () => {
    const recipe = aRecipe()
    await prepare(recipe)
    const { clone } = await taskWith(recipe)
    const script = `ls ${given.volume}; ls -d ${given.volume}/environments ${clone}/../../../environments /proc/*/root${given.volume}/environments 2>/dev/null; true`
    assert.equal(await inSandbox(agentMounts(), script), 'executions\nsandboxes\n')
    const setup = [{ subPath: 'sandboxes/aside.prepare' }, { subPath: 'executions/demo-e1/agent' }]
    assert.equal(await inSandbox(setup, script), 'executions\nsandboxes\n')
  })

  it('made of a branch changes nothing of the shared one, whatever its setup leaves', async () => {
    const recipe = aRecipe({ setup: 'mkdir c; echo good > c/f', cache: [{ path: 'c', mode: 'Copy' }], keys: ['lock'] })
    await prepare(recipe)
    const before = fingerprint()
    remote.commit('evil', { lock: 'x' })
    const folder = 'environments/0f3c/demo-e2'
    const evil = aPrepare(given.root, remote, recipe, {
      execution: 'demo-e2',
      sandbox: 'aside.evil',
      branch: 'evil',
      seal: { folder },
    })
    assert.equal((await evil.step('prepare')).exitCode, 0)
    assert.equal(readPrepared(evil).environment?.isShared, false)
    const shared = join(given.volume, FOLDER)
    const repo = join(given.volume, 'sandboxes/aside.evil/repo')
    mkdirSync(dirname(repo), { recursive: true })
    await inSandbox(
      [{ subPath: 'sandboxes/aside.evil' }, { subPath: 'executions/demo-e2/agent' }],
      `cd ${repo}; mkdir c; ln -s ${shared} c/shared; ln -s ${shared}/0/f c/f; ln -s ../../../../${FOLDER} c/up; echo bad > c/shared/0/f; true`,
    )
    const at = new Date().toISOString()
    const outcome = {
      schemaVersion: 1,
      execution: 'demo-e2',
      jobNumber: 1,
      outcome: 'succeeded',
      startedAt: at,
      finishedAt: at,
    }
    evil.write('agent/outcome.json', JSON.stringify(outcome))
    assert.equal((await evil.step('deliver')).exitCode, 0)
    assert.equal(readlinkSync(join(given.volume, folder, '0/shared')), shared)
    assert.equal(fingerprint(), before)
  })

  it('leads nowhere by the links that its setup has made', async () => {
    const secret = join(given.volume, 'sandboxes/other/repo')
    mkdirSync(secret, { recursive: true })
    writeFileSync(join(secret, 'secret'), 'of another task\n')
    const setup = `mkdir c; ln -s ${secret} c/other; ln -s /etc/shadow c/shadow; ln -s ../../../other/repo c/up; echo good > c/f`
    const recipe = aRecipe({ setup, cache: [{ path: 'c', mode: 'Copy' }] })
    const execution = await prepare(recipe)
    assert.deepEqual(mountedOf(execution).digest, readSeal(execution).digest)
    const { clone } = await taskWith(recipe)
    const output = await inSandbox(
      agentMounts(),
      `cd ${clone}/c; exec 2>/dev/null; cat other/secret up/secret; head -1 shadow; echo bad > other/secret; cat f`,
    )
    assert.equal(output, 'good\n')
    assert.equal(readFileSync(join(secret, 'secret'), 'utf8'), 'of another task\n')
  })

  it('is refused where a cache is a link to the folder of another task', async () => {
    const secret = join(given.volume, 'sandboxes/other/repo')
    mkdirSync(secret, { recursive: true })
    writeFileSync(join(secret, 'secret'), 'of another task\n')
    const recipe = aRecipe({ setup: `ln -s ${secret} c`, cache: [{ path: 'c', mode: 'Copy' }] })
    const execution = aPrepare(given.root, remote, recipe)
    assert.equal((await execution.all()).exitCode, 1)
    assert.match(execution.result().error?.message ?? '', /^cache c is a link/)
    assert.deepEqual(readdirSync(join(given.volume, FOLDER)), [])
  })
})
