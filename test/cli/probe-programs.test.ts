import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createProgramProbe } from '../../cli/probe-programs.ts'
import type { ProgramRecord } from '../../core/rest/records/setup.ts'
import { systemClock } from '../../lib/clock.ts'

describe('the programs and logins that are found', () => {
  let home: string
  let bin: string
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'slipway-programs-'))
    bin = join(home, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'claude'), '#!/bin/sh\necho "2.1.0 (Claude Code)"\n')
    await writeFile(join(bin, 'gemini'), '#!/bin/sh\nexit 1\n')
    for (const name of ['claude', 'gemini']) await chmod(join(bin, name), 0o755)
  })
  after(() => rm(home, { recursive: true, force: true }))

  const probe = async (
    env: Record<string, string>,
    programs: string[],
    isolation: 'sandbox' | 'none' = 'sandbox',
  ): Promise<ReadonlyMap<string, ProgramRecord>> => {
    const installation = { isolation, allowUnsandboxed: false, embedded: true, programs: new Set(programs) }
    const owner = { home, env: { PATH: `${bin}:/usr/bin:/bin`, ...env } }
    const found = await createProgramProbe({ owner, installation, clock: systemClock })()
    return new Map(found.map((program) => [program.adapter, program]))
  }

  it('are ready with a program and a login, which is named and not told', async () => {
    const found = await probe({ ANTHROPIC_API_KEY: 'sk-very-secret' }, ['claude'])
    assert.deepEqual(found.get('claude'), {
      adapter: 'claude',
      command: 'claude',
      is_found: true,
      version: '2.1.0 (Claude Code)',
      login: 'environment',
      login_source: 'ANTHROPIC_API_KEY',
      is_ready: true,
    })
    assert.equal(found.get('script')?.is_ready, true)
    assert.ok(!JSON.stringify([...found]).includes('sk-very-secret'))
  })

  it('do not wait for what a program leaves running with its output open', async () => {
    const script = '#!/bin/sh\necho "0.9.1"\nsetsid sh -c \'echo $$ > "$HOME/left"; exec sleep 600\' &\nsleep 600 &\n'
    await writeFile(join(bin, 'gemini'), script)
    try {
      const found = await probe({ GEMINI_API_KEY: 'k' }, ['gemini'])
      assert.equal(found.get('gemini')?.version, '0.9.1')
    } finally {
      process.kill(Number(await readFile(join(home, 'left'), 'utf8')))
      await writeFile(join(bin, 'gemini'), '#!/bin/sh\nexit 1\n')
    }
  })

  it('name what is missing and what mends it, in the order in which people mend it', async () => {
    const found = await probe({}, ['claude'])
    const lacks = ['claude', 'codex', 'gemini'].map((adapter) => found.get(adapter)?.missing)
    assert.deepEqual(lacks, [
      'no login of claude was found',
      'codex is not installed on this machine',
      'gemini was installed after Slipway had started',
    ])
    assert.match(found.get('codex')?.remedy ?? '', /^npm install -g @openai\/codex #/)
    const plain = await probe({ ANTHROPIC_API_KEY: 'k' }, ['claude'], 'none')
    assert.match(plain.get('claude')?.missing ?? '', /runs only in isolation/)
  })
})
