import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import { leaveOut } from '../../helpers/leave-out.ts'
import { type LfsHost, oidOf, pointerTo, serveLfs } from '../../helpers/lfs-server.ts'
import { type Remote, gitIn, makeRemote } from '../../helpers/repository.ts'
import { checksOf } from '../checks/given.ts'
import { makeExecution, makeFolder, removeFolder } from '../execution.ts'

const ATTRIBUTES = '*.bin filter=lfs diff=lfs merge=lfs -text\n'
const PICTURE = '\u0000picture '.repeat(5000)
const SOUND = 'sound\n'

describe('files in Git LFS', () => {
  let root = ''
  let host: LfsHost
  let remote: Remote
  beforeEach(async () => {
    root = makeFolder()
    host = await serveLfs(root, 'bob', 'hunter22')
    remote = makeRemote(root, {
      '.gitattributes': ATTRIBUTES,
      'art/ä picture.bin': pointerTo(PICTURE),
      'copy.bin': pointerTo(PICTURE),
      'sound.bin': pointerTo(SOUND),
    })
    for (const content of [PICTURE, SOUND]) host.objects.set(oidOf(content), Buffer.from(content))
    mkdirSync(join(root, 'login'))
    writeFileSync(join(root, 'login', 'username'), 'bob')
    writeFileSync(join(root, 'login', 'password'), 'hunter22')
  })
  afterEach(async () => {
    await host.close()
    removeFolder(root)
  })

  function clone(script = 'true', lfs: 'Fetch' | 'None' = 'Fetch', spec: Partial<RunSpec> = {}) {
    const login = { gitCredentialsDir: join(root, 'login'), gitHost: host.host }
    return makeExecution(root, { path: `http://${host.host}/remote.git` }, script, {
      ...login,
      checkout: { lfs },
      ...spec,
    })
  }
  const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')
  function needsLfs(context: Mocha.Context): void {
    if (spawnSync('git', ['lfs', 'version']).status !== 0)
      leaveOut(context, 'git-lfs is not installed (apt-get install git-lfs)')
  }

  it('have their content in a fresh clone, with a clean status and without a filter in its settings', async () => {
    remote.commit('main', { 'a.txt': pointerTo('no attribute names it'), 'plain.bin': 'no pointer' })
    const execution = clone()
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.match(stderr, /fetched 3 files from Git LFS \(/)
    assert.deepEqual(
      ['art/ä picture.bin', 'copy.bin', 'sound.bin', 'plain.bin', 'a.txt'].map((name) => read(execution.clone, name)),
      [PICTURE, PICTURE, SOUND, 'no pointer', pointerTo('no attribute names it')],
    )
    // Without any filter, as where no git-lfs is installed.
    assert.equal(gitIn(execution.clone, 'status', '--short'), '')
    assert.equal(
      gitIn(execution.clone, 'config', '--get-regexp', '^(user|core\\.bare|filter)').includes('filter'),
      false,
    )
    assert.equal(statSync(join(execution.clone, 'copy.bin')).nlink, 1)
  })

  it('are whole to the real git-lfs, and stay pointers in what is delivered', async function () {
    needsLfs(this)
    const script =
      'git lfs install --local >/dev/null; git lfs ls-files; git lfs fsck; touch *.bin; git status --short; echo 2 >> new.txt'
    const execution = clone(script)
    const end = await execution.all()
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(
      execution.read('agent/stdout.log'),
      [
        ...['art/ä picture.bin', 'copy.bin'].map((name) => `${oidOf(PICTURE).slice(0, 10)} * ${name}`),
        `${oidOf(SOUND).slice(0, 10)} * sound.bin`,
        'Git LFS fsck OK\n',
      ].join('\n'),
    )
    assert.equal(remote.git('diff', '--name-only', 'main', 'slipway/demo'), 'new.txt')
  })

  it('get a login at the repository’s own origin alone, and elsewhere what the answer gives', async () => {
    await clone().step('prepare')
    assert.equal(host.asked.length, 2)
    for (const { headers } of host.asked)
      assert.deepEqual([headers['x-store'], headers.authorization], ['ticket', 'Bearer of the store'])
  })

  it('come from the repository’s own server, whatever .lfsconfig says', async () => {
    remote.commit('main', {
      '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1:9/elsewhere\n[remote "origin"]\n\tlfsurl = http://127.0.0.1:9/\n',
    })
    const execution = clone()
    await execution.step('prepare')
    assert.equal(read(execution.clone, 'sound.bin'), SOUND)
  })

  for (const [what, change, reason] of [
    [
      'other content is given than the pointer names',
      { content: Buffer.from('other\n') },
      /other content than the pointer names/,
    ],
    [
      'more content is given than the pointer names',
      { content: Buffer.alloc(100_000) },
      /other content than the pointer names/,
    ],
    ['the server has no Git LFS', { status: 404 }, /answered 404 \(it has no Git LFS for this repository/],
    ['the server fails', { status: 503 }, /answered 503/],
    ['the store cannot be reached', { store: '127.0.0.1:9' }, /127\.0\.0\.1:9 cannot be reached/],
    ['the store is where clouds keep their metadata', { store: '169.254.169.254' }, /169\.254\.169\.254/],
  ] as const)
    it(`stay pointers where ${what}, and the work goes on`, async () => {
      Object.assign(host.faults, change)
      const execution = clone('echo 2 > new.txt')
      const end = await execution.step('prepare')
      assert.equal(end.exitCode, 0, end.stderr)
      assert.match(end.stderr, /3 files in Git LFS stay pointers: /)
      assert.match(end.stderr, reason)
      assert.equal(read(execution.clone, 'sound.bin'), pointerTo(SOUND))
      assert.equal(gitIn(execution.clone, 'status', '--short'), '')
    })

  it('are those that were asked for, of the size that their pointers name, whatever the server answers', async () => {
    const sizeOf = new Map([PICTURE, SOUND].map((content) => [oidOf(content), Buffer.byteLength(content)]))
    host.faults.answers = (objects) => [
      ...objects.map((object) => ({ ...object, size: 1 })),
      ...objects.map((object) => ({ ...object, oid: '../../../../../out/side', size: sizeOf.get(oidOf(SOUND)) })),
      ...objects,
    ]
    const execution = clone()
    const { exitCode, stderr } = await execution.step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.equal(read(execution.clone, 'sound.bin'), SOUND)
    assert.equal(read(execution.clone, 'copy.bin'), PICTURE)
    assert.equal(host.asked.length, 2)
    const made = readdirSync(execution.clone, { recursive: true }).concat(readdirSync(join(execution.clone, '..')))
    assert.equal(
      made.some((name) => String(name).includes('out')),
      false,
    )
  })

  it('wait once for a store that cannot be reached', async () => {
    const many = Object.fromEntries(['a', 'b', 'c', 'bb'].map((name) => [`${name}.bin`, pointerTo(name)]))
    remote.commit('main', many)
    for (const name of ['a', 'b', 'c', 'bb']) host.objects.set(oidOf(name), Buffer.from(name))
    host.faults.store = '127.0.0.1:9'
    const { exitCode, stderr } = await clone().step('prepare')
    assert.equal(exitCode, 0, stderr)
    assert.match(stderr, /7 files in Git LFS stay pointers: .*127\.0\.0\.1:9 could not be reached before/)
  })

  it('stay pointers one by one where the server lacks them', async () => {
    host.objects.delete(oidOf(SOUND))
    const execution = clone()
    const { stderr } = await execution.step('prepare')
    assert.match(stderr, /1 file in Git LFS stays a pointer: sound\.bin \(404 no such object\)$/m)
    assert.equal(read(execution.clone, 'copy.bin'), PICTURE)
  })

  it('that an agent adds are sent as their pointers name them, whatever the server asks for', async () => {
    host.faults.answers = (objects) => [
      ...objects.map((object) => ({ ...object, oid: '../../config', size: 1 })),
      ...objects.map((object) => ({ ...object, size: 1e15 })),
    ]
    const oid = oidOf('new')
    const folder = `.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}`
    const script = `mkdir -p ${folder}; printf new > ${folder}/${oid}; printf '%s' '${pointerTo('new')}' > new.txt`
    const execution = clone(script, 'None')
    const end = await execution.all()
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(host.objects.get(oid)?.toString(), 'new')
    assert.equal(execution.result().undelivered, undefined)
  })

  it('that an agent adds are checked with their content, and sent once the checks are green', async () => {
    const oid = oidOf('new')
    const folder = `.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}`
    const script = `mkdir -p ${folder}; printf new > ${folder}/${oid}; printf '%s' '${pointerTo('new')}' > new.bin`
    const checks = checksOf({
      one: 'cat new.bin sound.bin; git status --short',
      two: 'cat new.bin sound.bin; git status --short',
    })
    const execution = clone(script, 'Fetch', { checks })
    for (const step of ['prepare', 'agent', 'stage'] as const) await execution.step(step)
    assert.equal(host.objects.get(oid), undefined)
    for (const name of ['one', 'two']) {
      await execution.check(name)
      assert.equal(execution.read(`rounds/1/${name}/output.log`), `new${SOUND}`)
    }
    const end = await execution.step('deliver')
    assert.equal(end.exitCode, 0, end.stderr)
    assert.equal(host.objects.get(oid)?.toString(), 'new')
  })

  it('stay pointers without the setting', async () => {
    const execution = clone('true', 'None')
    await execution.step('prepare')
    assert.equal(read(execution.clone, 'sound.bin'), pointerTo(SOUND))
    rmSync(execution.clone, { recursive: true })
  })

  it('that an agent adds with git-lfs are sent before their pointers are pushed, committed or left', async function () {
    needsLfs(this)
    const commit = 'git -c user.name=me -c user.email=me@x commit -q -m sound'
    const script = `git lfs install --local >/dev/null; echo louder > sound.bin; git add sound.bin; ${commit}; printf left > left.bin`
    // Also where nothing was fetched.
    for (const [lfs, branch] of [
      ['Fetch', 'slipway/one'],
      ['None', 'slipway/two'],
    ] as const) {
      host.objects.delete(oidOf('left'))
      const execution = clone(script, lfs)
      const end = await execution.all({ branch, execution: 'demo-1' })
      assert.equal(end.exitCode, 0, end.stderr)
      assert.match(
        end.stderr,
        lfs === 'Fetch' ? /sent the content of 2 files to Git LFS/ : /sent the content of 1 file /,
      )
      assert.equal(remote.git('show', `${branch}:sound.bin`), pointerTo('louder\n').trim())
      assert.equal(remote.git('show', `${branch}:left.bin`), pointerTo('left').trim())
      assert.deepEqual([host.objects.get(oidOf('louder\n')), host.objects.get(oidOf('left'))].map(String), [
        'louder\n',
        'left',
      ])
      assert.equal(execution.result().undelivered, undefined)
      removeFolder(join(root, 'volume'))
    }
  })

  /** A commit with a pointer, and what lies where git-lfs keeps the content. */
  const withObject = (content: string, lay: string): string => {
    const oid = oidOf(content)
    const folder = `.git/lfs/objects/${oid.slice(0, 2)}/${oid.slice(2, 4)}`
    return `printf '%s' '${pointerTo(content)}' > new.dat; mkdir -p ${folder}; ${lay} ${folder}/${oid}`
  }

  for (const [what, lay, reason] of [
    ['lies nowhere', 'true', /its content is not in the clone/],
    ['is a link', `printf secret > ../secret; ln -s $PWD/../secret`, /its content is not in the clone/],
    ['has a second name', `printf secret > ../secret; ln ../secret`, /its content is not in the clone/],
    ['is other content', 'printf wrong! >', /its content in the clone is not what the pointer names/],
  ] as const)
    it(`whose content ${what} are pushed as pointers and listed`, async () => {
      const execution = clone(withObject('secret', lay), 'None')
      const end = await execution.all()
      assert.equal(end.exitCode, 0, end.stderr)
      assert.deepEqual([execution.result().pushed, host.objects.has(oidOf('secret'))], [true, false])
      const [listed] = execution.result().undelivered ?? []
      assert.equal(listed?.path, 'new.dat')
      assert.match(listed.reason, reason)
    })

  it('are not pushed while their server fails, and are when the delivery is repeated', async () => {
    const execution = clone(withObject('secret', 'printf secret >'), 'None')
    for (const step of ['prepare', 'agent'] as const) await execution.step(step)
    host.faults.status = 503
    assert.equal((await execution.step('deliver')).exitCode, 1)
    const { error, resumeAfter, pushed } = execution.result()
    assert.match(error?.message ?? '', /Git LFS: 127\.0\.0\.1:\d+ answered 503.*nothing was pushed/)
    assert.deepEqual([pushed, typeof resumeAfter], [false, 'string'])
    delete host.faults.status
    const again = { deliverOnly: true, keepClone: true, jobNumber: 2 }
    assert.equal((await execution.step('deliver', again)).exitCode, 0)
    assert.equal(String(host.objects.get(oidOf('secret'))), 'secret')
  })

  it('are pushed as pointers and listed where the server takes none', async () => {
    host.faults.status = 403
    const execution = clone(withObject('secret', 'printf secret >'), 'None')
    assert.equal((await execution.all()).exitCode, 0)
    assert.match(execution.result().undelivered?.[0]?.reason ?? '', /has only its Git LFS pointer: .* answered 403/)
  })

  it('are not sent beyond what a push may send', async () => {
    const execution = clone(withObject('secret'.repeat(1000), `printf '${'secret'.repeat(1000)}' >`), 'None')
    assert.equal((await execution.all({ maxPushBytes: 5000 })).exitCode, 1)
    assert.match(execution.result().error?.message ?? '', /5\.9 KiB of new content in Git LFS, more than 4\.9 KiB/)
    assert.equal(host.objects.size, 2)
  })
})
