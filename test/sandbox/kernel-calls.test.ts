/**
 * What a sandbox may not ask of the kernel, asked of a real one by perl's `syscall` (git needs perl, so it is here),
 * and what ordinary work asks of it.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { containerPaths } from '../../node/layout.ts'
import { ABSENT, FORBIDDEN } from '../../node/seccomp.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { type GivenNode, givenNode } from '../node/given.ts'

const column = process.arch === 'arm64' ? 1 : 0
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]
const USER_KEYRING = -4
const KEYCTL = { join: 1, read: 11, invalidate: 21, search: 10 } as const

/** Perl that makes one call and prints its result, or the errno as `errno N`. */
function call(number: number, ...args: readonly (number | string)[]): string {
  const list = args.map((arg) => JSON.stringify(arg)).join(', ')
  // Literals are read-only, and perl hands over nothing that is.
  return `@a = (${list}); $r = syscall(${number}, @a); print $r == -1 ? 'errno ' . ($! + 0) : $r`
}

function onMachine(perl: string): string {
  return execFileSync('perl', ['-e', perl], { encoding: 'utf8' })
}

describe('a sandbox and the kernel', () => {
  let given: GivenNode
  let pods = 0
  before(async function () {
    await needBwrap(this)
  })
  beforeEach(async () => {
    given = await givenNode({ runtime: 'bwrap' })
  })
  afterEach(() => given.end())

  async function outputOf(script: string): Promise<string> {
    const name = `pod-${(pods += 1)}`
    await given.run({ name, script })
    const { metadata } = await given.finished(name)
    return readFile(containerPaths(given.dir, metadata.uid ?? '', 'main').log, 'utf8')
  }
  const inside = (perl: string): Promise<string> => outputOf(`perl -e '${perl.replaceAll("'", `'\\''`)}'`)
  const number = (name: keyof typeof FORBIDDEN): number => FORBIDDEN[name][column] ?? assert.fail(name)

  describe('with a key of its user on the machine', () => {
    const name = `slipway-test-${randomBytes(4).toString('hex')}`
    let key: string
    before(function (this: Mocha.Context) {
      key = onMachine(call(number('add_key'), 'user', name, 'a login', 7, USER_KEYRING))
      // Such a kernel has no keys that could be read.
      if (key.startsWith('errno')) this.skip()
    })
    after(() => {
      onMachine(call(number('keyctl'), KEYCTL.invalidate, Number(key)))
    })

    it('cannot read it by its number', async () => {
      const read = `$b = "\\0" x 7; $r = syscall(${number('keyctl')}, ${KEYCTL.read}, ${key}, $b, 7); print $r == -1 ? "errno " . ($! + 0) : $b`
      assert.equal(onMachine(read), 'a login')
      assert.equal(await inside(read), `errno ${EPERM}`)
    })

    it('finds no key by its name', async () => {
      assert.equal(await inside(call(number('keyctl'), KEYCTL.search, USER_KEYRING, 'user', name, 0)), `errno ${EPERM}`)
      assert.equal(await inside(call(number('request_key'), 'user', name, 0, USER_KEYRING)), `errno ${EPERM}`)
    })

    it('sees no list of keys', async () => {
      assert.ok((await readFile('/proc/keys', 'utf8')).includes(name))
      assert.equal(await outputOf('cat /proc/keys /proc/key-users 2>/dev/null; echo done'), 'done\n')
    })

    it('leaves no key for others', async () => {
      const planted = `${name}-planted`
      assert.equal(await inside(call(number('add_key'), 'user', planted, 'mine', 4, USER_KEYRING)), `errno ${EPERM}`)
      assert.ok(!(await readFile('/proc/keys', 'utf8')).includes(planted))
    })
  })

  it('gets no namespace, mount, module, BPF program or view of performance', async () => {
    const zeros = [0, 0, 0, 0, 0]
    const asked = [
      'unshare',
      'mount',
      'umount2',
      'setns',
      'pivot_root',
      'bpf',
      'perf_event_open',
      'init_module',
    ] as const
    const calls = asked.map((name) => `${call(number(name), ...zeros)}; print "\\n"`)
    assert.deepEqual(
      (await inside(calls.join('; '))).trim().split('\n'),
      asked.map(() => `errno ${EPERM}`),
    )
    assert.equal(await outputOf('unshare -Ur true 2>/dev/null || echo refused'), 'refused\n')
  })

  it('is told that clone3 and io_uring do not exist, so that programs take the older calls', async () => {
    const calls = Object.values(ABSENT).map(([same]) => `${call(same, 0, 0, 0)}; print "\\n"`)
    assert.deepEqual(
      (await inside(calls.join('; '))).trim().split('\n'),
      calls.map(() => `errno ${ENOSYS}`),
    )
  })

  it('gets no socket that uses keys of the kernel', async () => {
    assert.equal(await inside('use Socket; socket($s, 38, 5, 0) or print $! + 0'), String(EAFNOSUPPORT))
  })

  it('is in a user namespace of its own, also as root, and its first process is held as well', async () => {
    const output = await outputOf('readlink /proc/self/ns/user; grep -h Seccomp: /proc/1/status /proc/self/status')
    const [namespace, ...modes] = output.trim().split('\n')
    assert.notEqual(namespace, onMachine('print readlink("/proc/self/ns/user")'))
    assert.deepEqual(modes, ['Seccomp:\t2', 'Seccomp:\t2'])
  })

  it('leaves ordinary work alone: git, node with threads and children, npm, python, perl, pipes and sockets', async () => {
    const node = `
      const { Worker } = require('node:worker_threads')
      const { execFileSync } = require('node:child_process')
      const server = require('node:http').createServer((_, response) => response.end('served'))
      server.listen(0, '127.0.0.1', async () => {
        const text = await (await fetch('http://127.0.0.1:' + server.address().port)).text()
        new Worker('require("node:worker_threads").parentPort.postMessage("thread")', { eval: true }).once('message', (said) => {
          console.log(text, said, execFileSync('echo', ['child'], { encoding: 'utf8' }).trim())
          server.close()
        })
      })`
    const script = `set -e; cd /tmp; export HOME=/tmp
      git init -q repo; cd repo; echo one >file; git add file
      git -c user.name=a -c user.email=a@example.com commit -qm first; git clone -q . ../copy; git -C ../copy log --format=%s
      node -e '${node.replaceAll("'", `'\\''`)}'
      npm --version >/dev/null && echo npm
      if command -v python3 >/dev/null; then python3 -c 'import subprocess, threading; subprocess.run(["true"], check=True); t = threading.Thread(target=int); t.start(); t.join()'; fi
      perl -e 'print "perl\\n"' | cat`
    assert.equal(await outputOf(script), 'first\nserved thread child\nnpm\nperl\n')
  })
})
