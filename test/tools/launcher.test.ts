import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** What the launcher needs of a clone, in a folder of the test's own. */
function makeClone(): string {
  const root = mkdtempSync(join(tmpdir(), 'slipway-launcher-'))
  mkdirSync(join(root, 'tools'))
  for (const name of [
    'package.json',
    'tsconfig.json',
    'tools/slipway.mjs',
    'tools/node-version.mjs',
    'tools/build.mjs',
    'tools/build-web.mjs',
    'tools/tsc.mjs',
  ])
    cpSync(name, join(root, name))
  return root
}

function start(path: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** As `npm link` and `npx` make it. */
function link(root: string, name: string): string {
  const path = join(root, name)
  symlinkSync(join(root, 'tools', 'slipway.mjs'), path)
  return path
}

describe('what npm puts on the PATH', () => {
  let root: string
  beforeEach(() => {
    root = makeClone()
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('is there in a clone that nothing was built in, and says how to build', () => {
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
    assert.deepEqual(bin, { slipway: 'tools/slipway.mjs', 'kubectl-slipway': 'tools/slipway.mjs' })
    const { status, stderr } = start(link(root, 'slipway'), 'tasks')
    assert.equal(status, 1)
    assert.match(
      stderr,
      /^slipway is not built yet: run "npm ci && npm start" in .*slipway-launcher-.* \(or "npm run build"/,
    )
  })

  it('starts the program with its arguments, its exit code and the name that it was called by', () => {
    mkdirSync(join(root, 'dist', 'bin'), { recursive: true })
    writeFileSync(
      join(root, 'dist', 'bin', 'slipway.js'),
      'console.log(process.argv.slice(1).join(" ")); process.exitCode = 3',
    )
    const path = link(root, 'kubectl-slipway')
    assert.deepEqual(start(path, 'run', '-'), { status: 3, stdout: `${path} run -\n`, stderr: '' })
  })

  it('names the Node that is too old, as the build does', () => {
    writeFileSync(join(root, 'package.json'), '{ "engines": { "node": ">=999.1" }, "type": "module" }')
    const expected = `Slipway needs Node >=999.1; this is ${process.version} at ${process.execPath}\n`
    for (const path of [link(root, 'slipway'), join(root, 'tools', 'build.mjs')])
      assert.deepEqual(start(path), { status: 1, stdout: '', stderr: expected })
  })

  it('asks for npm ci where a build finds no packages', () => {
    const { status, stderr } = start(join(root, 'tools', 'build.mjs'))
    assert.deepEqual([status, stderr.endsWith(': run "npm ci" first\n')], [1, true])
  })
})
