import { once } from 'node:events'
import { type Command, CLUSTER_FLAG } from '../command.ts'
import { formatStillRunningMessage } from '../running-tasks.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Serve the API, with everything on this machine or against a cluster',
  details: [
    'Without --cluster or --kubeconfig it starts an embedded control plane and runs Jobs as local processes:',
    'a default for one machine, not a cluster. When it serves it prints one line "ready <url>".',
  ].join('\n'),
  examples: [
    'slipway serve',
    'slipway serve --listen 0.0.0.0:8080 --config ./slipway.yaml',
    'slipway serve --cluster --namespace slipway',
  ],
  flags: [CLUSTER_FLAG],
  run: async ({ config, configFile, switches, terminal, signal }) => {
    // This loads most of the program, which client commands do not need.
    const { startStack } = await import('../stack.ts')
    const stack = await startStack({ config, configFile, cluster: switches.has('cluster') })
    terminal.err(`${stack.notice}\n`)
    terminal.out(`ready ${stack.url}\n`)
    if (!signal.aborted) await once(signal, 'abort')
    terminal.err(`${formatStillRunningMessage(await stack.findRunning())}\n`)
    await stack.stop()
    return 0
  },
}
