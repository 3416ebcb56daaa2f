import { once } from 'node:events'
import { join } from 'node:path'
import { connectApi } from '../../core/rest/client/connect.ts'
import { type Command, UsageError } from '../command.ts'
import { typedProgram } from '../installation.ts'

const NEEDS_THIS_MACHINE = [
  "demo: it runs on this machine only, because its repository is a folder here that a cluster's pods cannot reach: unset",
  'kubeconfig. To run tasks on a cluster use "slipway serve --cluster --image <image>" and a remote repository.',
].join('\n')

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Serve, and show agents at work, played from recordings',
  details: [
    'Makes the repository of a small shop, and lets recordings of Claude Code and Codex work on it: no model is asked, all',
    'else is real. One task asks you a question, one meets a usage limit and goes on, one is READY for you to accept.',
    'Started again on the same data folder it finds everything as it was.',
  ].join('\n'),
  examples: ['slipway demo', 'slipway demo --exit'],
  flags: [{ name: 'exit', description: 'Stop when the tasks wait for you in place of serving on' }],
  run: async ({ config, configFile, switches, terminal, signal }) => {
    if (config.kubeconfig !== undefined) throw new UsageError(NEEDS_THIS_MACHINE)
    const [{ startStack }, { runDemo }] = await Promise.all([import('../stack.ts'), import('../demo/run.ts')])
    const stack = await startStack({ config, configFile, cluster: false })
    try {
      terminal.out(`ready ${stack.url}\n${stack.notice}\n\n`)
      await runDemo({
        api: connectApi({ url: stack.url, token: config.token, fetch }),
        url: stack.url,
        program: typedProgram(process.env),
        repository: join(config.dataDir, 'demo', 'shop.git'),
        hasToken: config.token !== undefined,
        isWatchedHere: switches.has('exit'),
        terminal,
        signal,
      })
      if (!switches.has('exit') && !signal.aborted) {
        terminal.out('\nServing on. Ctrl-C stops; starting again finds everything as it is.\n')
        await once(signal, 'abort')
      }
    } finally {
      await stack.stop()
    }
    return 0
  },
}
