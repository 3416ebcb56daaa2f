import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { docker, imageOf, releaseFolder } from './docker.ts'

const run = promisify(execFile)

describe('the npm tarball of a release', () => {
  let folder: string
  let tarball: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-installed-'))
    tarball = readdirSync(releaseFolder()).find((name) => /^slipway-cli-[\d.]+\.tgz$/.test(name)) ?? assert.fail()
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    // Without a root of its own, npm would go up to any folder that has a package.json or node_modules.
    // What the container below finds in place of a registry.
    const cache = `--cache=${join(folder, 'cache')}`
    await run('npm', ['install', '--prefix', folder, cache, ...quiet, join(releaseFolder(), tarball)], { cwd: folder })
  })
  after(() => rmSync(folder, { recursive: true, maxRetries: 5 }))

  const slipway = (...args: string[]) =>
    run('npx', ['--no-install', '--prefix', folder, 'slipway', ...args], { cwd: folder })

  it('brings a command of its own in an empty folder, and the name of a kubectl plugin', async () => {
    assert.match((await slipway('--version')).stdout, /^slipway \d+\.\d+\.\d+ \(commit [0-9a-f]{40}, built 2/)
    assert.deepEqual(
      readdirSync(join(folder, 'node_modules', '.bin')).filter((name) => name.includes('slipway')),
      ['kubectl-slipway', 'slipway'],
    )
  })

  it('installs the versions that were tested', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    for (const name of ['lmdb', 'msgpackr', 'ordered-binary', 'weak-lru-cache']) {
      const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
      assert.equal(version, packages[`node_modules/${name}`].version, name)
    }
  })

  it('runs a whole round by itself: control plane, operator, agents, delivery', async () => {
    const flags = ['--exit', '--listen', '127.0.0.1:0', '--data-dir', join(folder, 'data')]
    const { stdout } = await slipway('demo', ...flags)
    assert.match(stdout, /demo-review: Ready for review[^]*demo-limit: Ready for review[^]*demo-question: Question/)
  })

  it('runs the demo by one npx in a container that has Node and git only, without a network', async () => {
    const mounts = [`${join(folder, 'cache')}:/cache`, `${join(releaseFolder(), tarball)}:/tmp/${tarball}:ro`]
    const settings = ['HOME=/root', 'npm_config_cache=/cache', 'npm_config_offline=true']
    const limits = ['--rm', '--user=0:0', '--network=none', '--workdir=/tmp']
    const options = [...limits, ...settings.map((one) => `--env=${one}`), ...mounts.map((one) => `--volume=${one}`)]
    const image = imageOf('slipway-agent-script')
    const shown = await docker('run', ...options, image, 'npx', '--yes', `./${tarball}`, 'demo', '--exit')
    assert.match(shown, /demo-review: Ready for review[^]*demo-limit: Ready for review/)
    // "npx slipway" would look for the name in a registry, and find somebody else's program.
    assert.ok(shown.includes(`npx file:/tmp/${tarball} accept demo-review`), shown)
  })
})
