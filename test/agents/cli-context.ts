import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { systemClock } from '../../lib/clock.ts'
import { type StepContext, runPaths } from '../../runner/context.ts'
import { makeExecution } from '../runner/execution.ts'
import type { RecordedCase } from './record-cases.ts'
import { codexConfig, loginOf } from './rig.ts'

/** What an adapter needs to say how its CLI is started, in folders below `folder` and without any Slipway around it. */
export function makeCliContext(
  recorded: Omit<RecordedCase, 'name'> & { readonly name?: string },
  folder: string,
  url: string,
): StepContext {
  const { program, agent } = recorded.words
  const subscription = { CLAUDE_CODE_OAUTH_TOKEN: 'token', ANTHROPIC_BASE_URL: url }
  const login = recorded.hasSubscription === true ? subscription : loginOf(program, url)
  const { spec } = makeExecution(folder, { path: '' }, '', {
    ...recorded.run,
    agent: { name: program, adapter: program, ...agent, ...recorded.agent },
    passEnv: Object.keys(login),
  })
  const paths = runPaths(spec)
  const tmp = join(folder, 'tmp')
  // Apart from the home: codex keeps no programs of its own below the folder for temporary files.
  for (const path of [paths.clone, join(paths.home, '.codex'), join(paths.home, '.gemini'), tmp])
    mkdirSync(path, { recursive: true })
  if (program === 'codex') writeFileSync(join(paths.home, '.codex', 'config.toml'), codexConfig(url))
  if (recorded.settings !== undefined)
    writeFileSync(join(paths.home, '.gemini', 'settings.json'), JSON.stringify(recorded.settings))
  const path = [process.env['SLIPWAY_TEST_AGENTS'], process.env['PATH']].join(':')
  const { signal } = new AbortController()
  return {
    run: spec,
    paths,
    clock: systemClock,
    signal,
    tmp,
    env: { ...login, PATH: path },
    say: () => undefined,
  }
}
