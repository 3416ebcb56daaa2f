import assert from 'node:assert/strict'
import { sandboxArguments } from '../../node/sandbox.ts'

const view = {
  hostname: 'pod',
  imagePaths: ['/opt/node'],
  mounts: [
    { source: '/host/deep', mountPath: '/data/deep', readOnly: true },
    { source: '/host', mountPath: '/data', readOnly: false },
  ],
  hiddenPaths: ['/opt/product/data', '/srv/elsewhere'],
  cwd: '/data',
  termination: { source: '/node/termination', path: '/dev/termination-log' },
}
const line = (): string => sandboxArguments(view).join(' ')

describe('the arguments of a sandbox', () => {
  it('bind a parent before what is mounted in it', () => {
    assert.ok(line().indexOf('--bind /host /data ') < line().indexOf('--ro-bind /host/deep /data/deep'))
  })

  it('bind after the folders of the system and the fresh ones, so that no mount is hidden by them', () => {
    assert.ok(line().lastIndexOf('--tmpfs') < line().indexOf('/opt/node'))
    assert.ok(line().lastIndexOf('--ro-bind-try') < line().indexOf('--bind /host '))
  })

  it('hide a folder that lies in one of the system, before anything is mounted below it', () => {
    assert.ok(line().indexOf('--ro-bind-try /opt /opt') < line().indexOf('--tmpfs /opt/product/data'))
    assert.ok(line().indexOf('--tmpfs /opt/product/data') < line().indexOf('/opt/node'))
    assert.ok(!line().includes('/srv/elsewhere'))
  })

  it('show nothing of the machine writable but the mounts that are and the termination message', () => {
    const args = sandboxArguments(view)
    const writable = args.flatMap((arg, i) => (arg.startsWith('--bind') ? [args[i + 1]] : []))
    assert.deepEqual(writable, ['/host', '/node/termination'])
  })

  it('show neither home folders nor /var nor the root as a whole', () => {
    const args = sandboxArguments(view)
    const shown = args.filter((_, i) => /^--(ro-)?bind/.test(args[i - 1] ?? ''))
    for (const path of ['/', '/root', '/home', '/var', '/srv', '/mnt', '/etc', '/etc/shadow'])
      assert.ok(!shown.includes(path), path)
  })

  it('show the settings of the kernel read-only, over the fresh /proc', () => {
    assert.ok(line().indexOf('--proc /proc') < line().indexOf('--ro-bind-try /proc/sys /proc/sys'))
  })

  it('take every capability away and give a PID namespace of its own', () => {
    assert.match(line(), /--unshare-pid .*--cap-drop ALL/)
  })

  it('end where the program begins', () => {
    assert.equal(sandboxArguments(view).at(-1), '--')
  })
})
