/** The node's sandbox with a real bubblewrap; run by .ci/run, which installs it. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONTAINER_VARIABLE, findProcessesByEnvironment } from '../../lib/process.ts'
import { containerPaths } from '../../node/layout.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { type TestPod, type GivenNode, givenNode } from '../node/given.ts'
import { until } from '../helpers/until.ts'

describe('a pod in a bubblewrap sandbox', () => {
  let given: GivenNode
  before(async function () {
    await needBwrap(this)
  })
  beforeEach(async () => {
    given = await givenNode({ runtime: 'bwrap' })
  })
  afterEach(() => given.end())

  const data = (mount: object = {}): Partial<TestPod> => ({
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    container: { volumeMounts: [{ name: 'data', mountPath: '/data', ...mount }] },
  })
  async function outputOf(pod: TestPod): Promise<string> {
    await given.run(pod)
    const { metadata } = await given.finished('pod')
    return readFile(containerPaths(given.dir, metadata.uid ?? '', 'main').log, 'utf8')
  }

  it('sees neither the node nor home folders nor the files of others', async () => {
    const hidden = [given.root, given.dir, process.cwd(), '/root', '/home', '/var/lib', '/etc/shadow']
    const output = await outputOf({
      script: `for f in ${hidden.join(' ')}; do [ -e $f ] && echo "sees $f"; done; echo done`,
    })
    assert.equal(output, 'done\n')
  })

  it('does not see a data folder that lies in a folder of the system', async function (this: Mocha.Context) {
    // Only root can make a folder among those of the system.
    if (process.getuid?.() !== 0) this.skip()
    await given.end()
    const hidden = await mkdtemp('/opt/node-test-')
    try {
      await writeFile(join(hidden, 'secret'), '')
      given = await givenNode({ runtime: 'bwrap', hiddenPaths: [hidden] })
      assert.equal(await outputOf({ script: `ls -A ${hidden}; echo done` }), 'done\n')
    } finally {
      await rm(hidden, { recursive: true })
    }
  })

  it('runs tools of the folders that are shown, and cannot change them', async () => {
    await given.end()
    const tools = await mkdtemp(join(tmpdir(), 'node-tools-'))
    try {
      await writeFile(join(tools, 'tool'), '#!/bin/sh\necho "it works at $TOOL_HOME"\n', { mode: 0o755 })
      const path = `/usr/bin:/bin:${tools}`
      given = await givenNode({ runtime: 'bwrap', imagePaths: [tools], env: { TOOL_HOME: tools }, path })
      const output = await outputOf({ script: `tool; (echo >${tools}/x) 2>/dev/null || echo refused` })
      assert.equal(output, `it works at ${tools}\nrefused\n`)
    } finally {
      await rm(tools, { recursive: true })
    }
  })

  it('writes where its mount is writable, and nowhere else', async () => {
    const output = await outputOf({
      ...data(),
      script:
        'echo mine >/data/file; for d in / /usr /etc /opt; do (: >$d/x) 2>/dev/null && echo "wrote $d"; done; echo done',
    })
    assert.equal(output, 'done\n')
    assert.equal(await readFile(join(given.volume, 'file'), 'utf8'), 'mine\n')
  })

  it('cannot write where its mount is read-only', async () => {
    const output = await outputOf({ ...data({ readOnly: true }), script: '(: >/data/x) 2>/dev/null || echo refused' })
    assert.equal(output, 'refused\n')
  })

  it('sees only the part of a volume that its subPath names', async () => {
    await mkdir(join(given.volume, 'part'))
    await writeFile(join(given.volume, 'secret'), '')
    const output = await outputOf({
      ...data({ subPath: 'part' }),
      script: 'ls -a /data; ls /data/../secret 2>/dev/null; true',
    })
    assert.equal(output, '.\n..\n')
  })

  it('sees no process of the machine, has no capability, and /tmp of its own', async () => {
    const output = await outputOf({
      script:
        'kill -0 -- -1 2>/dev/null; set -- /proc/[0-9]*; [ $# -lt 6 ] && echo few; grep CapEff /proc/self/status; ls /tmp',
    })
    assert.match(output, /^few\nCapEff:\t0+\n$/)
  })

  it('changes no setting of the kernel, even when its user is root', async () => {
    const output = await outputOf({
      script:
        'for f in kernel/core_pattern kernel/hostname vm/swappiness; do v=$(cat /proc/sys/$f); (echo "$v" >/proc/sys/$f) 2>/dev/null && echo "wrote $f"; done; (unshare -Urpf mount -t proc proc /tmp) 2>/dev/null && echo "mounted /proc anew"; echo done',
    })
    assert.equal(output, 'done\n')
  })

  it('gets SIGTERM itself, and may end in its own way', async () => {
    await given.run({
      ...data(),
      script: `trap 'echo bye >/data/last; exit 0' TERM; touch /data/ready; while :; do sleep 0.05; done`,
    })
    await until('the container is ready', () => existsSync(join(given.volume, 'ready')))
    await given.api.deletePod('pod')
    await until('the API has forgotten the pod', () => given.api.findPod('pod') === undefined)
    assert.equal(await readFile(join(given.volume, 'last'), 'utf8'), 'bye\n')
  })

  it('leaves nothing running, whatever it started and hid', async () => {
    await given.run({ script: `setsid env -i sleep 300 & trap '' TERM; sleep 0.1; exit 5` })
    const pod = await given.finished('pod')
    assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 5)
    assert.deepEqual(await findProcessesByEnvironment(CONTAINER_VARIABLE, `${pod.metadata.uid}/main`), [])
  })

  it('fails with exit code 128 and the reason when its command does not exist', async () => {
    await given.run({ ...data(), container: { ...data().container, command: ['/data/none'] } })
    const terminated = (await given.finished('pod')).status?.containerStatuses?.[0]?.state?.terminated
    assert.deepEqual(
      [terminated?.exitCode, terminated?.message],
      [128, 'exec: "/data/none": no such file or directory'],
    )
  })

  it('hands out its termination message', async () => {
    await given.run({ script: 'printf bye >/dev/termination-log; exit 1' })
    const pod = await given.finished('pod')
    assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.message, 'bye')
  })

  it('goes on when the node stops, and is taken over by the next', async () => {
    await given.run({ ...data(), script: 'until [ -e /data/gate ]; do sleep 0.02; done; exit 6' })
    await given.running('pod')
    await given.node.stop()
    await given.again()
    await writeFile(join(given.volume, 'gate'), '')
    const pod = await given.finished('pod')
    assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 6)
  })
})
