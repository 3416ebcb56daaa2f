import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkTools } from '../../cli/doctor/machine.ts'
import { checkToolFolders, findHiddenTools, findToolFolderProblem, toolVariables } from '../../cli/tool-folders.ts'
import { loadConfig } from '../../lib/config.ts'

describe('folders with tools that sandboxes show', () => {
  let root: string
  let home: string
  let place: { readonly home: string; readonly dataDir: string }

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-tools-')))
    home = join(root, 'home')
    place = { home, dataDir: join(root, 'work', 'data') }
    mkdirSync(place.dataDir, { recursive: true })
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  function write(path: string, mode = 0o600): string {
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '#!/bin/sh\n')
    chmodSync(file, mode)
    return file
  }
  const install = (path: string) => write(path, 0o755)
  const link = (path: string, target: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    symlinkSync(join(home, target), join(home, path))
  }
  const hidden = (shown: readonly string[], ...path: readonly string[]) =>
    findHiddenTools(
      { env: { PATH: ['/usr/bin', ...path.map((entry) => join(home, entry))].join(':') }, home },
      shown,
      place,
    )
  const below = (paths: readonly string[]) => paths.map((path) => path.slice(home.length + 1))

  it('are found on PATH below the home, with what their programs need', async () => {
    install('.cargo/bin/cargo')
    install('.rustup/toolchains/stable/bin/cargo')
    install('.pyenv/shims/python')
    install('.nvm/versions/node/v22/bin/node')
    install('.local/share/pipx/venvs/black/bin/black')
    link('.local/bin/black', '.local/share/pipx/venvs/black/bin/black')
    install('.bun/bin/bun')
    const path = ['.cargo/bin', '.pyenv/shims', '.nvm/versions/node/v22/bin', '.local/bin', '.bun/bin', 'none']
    const { programs, offered } = await hidden([], ...path)
    assert.equal(programs.length, 5)
    const expected = [
      '.bun/bin',
      '.cargo/bin',
      '.local/bin',
      '.local/share/pipx/venvs/black',
      '.nvm/versions',
      '.pyenv',
    ]
    assert.deepEqual(below(offered), [...expected, '.rustup'])
    const all = [...offered]
    assert.deepEqual(await hidden(all, ...path), { programs: [], offered: [] })
  })

  it('are never offered where credentials are, or may be', async () => {
    write('.ssh/id_ed25519')
    write('.cargo/credentials.toml')
    write('tools/.npmrc')
    const path = ['.ssh', '.aws/bin', '.config/composer/vendor/bin', '.docker/cli-plugins', '.cargo', 'tools', '.']
    for (const folder of path) install(`${folder}/tool`)
    link('linked', '.ssh')
    const { programs, offered } = await hidden([], ...path, 'linked')
    assert.deepEqual([programs.length, offered], [8, []])
  })

  it('need not show the agents’ own programs, which sandboxes have', async () => {
    install('.local/bin/claude')
    assert.deepEqual(await hidden([], '.local/bin'), { programs: [], offered: [] })
  })

  const refused: Readonly<Record<string, readonly [folder: () => string, problem: RegExp]>> = {
    'one that is missing': [() => join(home, 'none'), /is not a folder that can be read/],
    'a file': [() => install('bin/tool'), /is not a folder that can be read/],
    'a relative one': [() => '.cargo/bin', /is not an absolute path/],
    'the home': [() => home, /is your home, or holds it/],
    'a folder that holds the home': [() => root, /is your home, or holds it/],
    'the root': [() => '/', /is your home, or holds it/],
    'the data folder': [() => place.dataDir, /Slipway's data folder/],
    'a folder that holds the data folder': [() => dirname(place.dataDir), /Slipway's data folder/],
    'keys of ssh': [() => dirname(write('.ssh/id_rsa')), /may hold credentials/],
    'a folder in .config': [() => dirname(install('.config/tool/bin/x')), /may hold credentials/],
    'a folder that holds a place of credentials': [() => join(home, '.cargo'), /\.cargo\/credentials is/],
    'a folder with a file of credentials': [() => dirname(write('tools/.netrc')), /holds \.netrc/],
    'settings of the machine': [() => '/etc', /is part of the system/],
  }
  for (const [what, [folder, problem]] of Object.entries(refused)) {
    it(`may not be ${what}`, async () => {
      install('.cargo/bin/cargo')
      const given = folder()
      assert.match((await findToolFolderProblem(given, place)) ?? '', problem)
      await assert.rejects(checkToolFolders([given], place), {
        name: 'ConfigError',
        message: new RegExp(`^configuration: toolFolders: ${given} `),
      })
    })
  }

  it('may be no link to what they may not be', async () => {
    write('.ssh/id_rsa')
    link('bin', '.ssh')
    assert.match((await findToolFolderProblem(join(home, 'bin'), place)) ?? '', /may hold credentials/)
  })

  it('tell tools where they are, where the owner says so or at their usual place', () => {
    const shown = [join(home, '.rustup'), '/data/pyenv']
    const env = { PYENV_ROOT: '/data/pyenv', VOLTA_HOME: join(home, '.volta') }
    assert.deepEqual(toolVariables(shown, { env, home }), {
      RUSTUP_HOME: join(home, '.rustup'),
      PYENV_ROOT: '/data/pyenv',
    })
  })

  it('are told by doctor as the setting to write, beside those that are shown already', async () => {
    install('.bun/bin/bun')
    install('go/bin/gopls')
    const owner = { env: { PATH: `${join(home, '.bun/bin')}:${join(home, 'go/bin')}` }, home }
    const configOf = (toolFolders: readonly string[]) =>
      loadConfig({ flags: { dataDir: place.dataDir, toolFolders }, env: {} })
    const { status, text, remedy = '' } = await checkTools(configOf([join(home, 'go/bin')]), '/c.yaml', owner)
    assert.equal(status, 'warn')
    assert.match(text, /that sandboxes do not show: 1, in .*\.bun\/bin$/)
    const setting = `toolFolders: ["${home}/go/bin","${home}/.bun/bin"]`
    assert.equal(remedy, `${setting} # in /c.yaml, if agents need them`)
    const all = [join(home, 'go/bin'), join(home, '.bun/bin')]
    assert.equal((await checkTools(configOf(all), '/c.yaml', owner)).status, 'ok')
  })

  it('must be absolute in the configuration, which names the setting', () => {
    const load = () => loadConfig({ flags: { toolFolders: ['.cargo/bin'] }, env: {} })
    assert.throws(load, /^ConfigError: configuration: toolFolders\[0\]: must be an absolute path/)
  })
})
