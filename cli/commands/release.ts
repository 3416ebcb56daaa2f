/** What the chart does at the ends of a release, for who installs without Helm too. */
import { parseDuration } from '../../core/time.ts'
import { systemClock } from '../../lib/clock.ts'
import { stoppingAll } from '../../lib/stops.ts'
import { type Command, UsageError } from '../command.ts'
import { CLUSTER_SETTINGS } from '../settings.ts'

export const createAgentsCommand: Command = {
  name: 'create-agents',
  summary: 'Create the Agents claude, gemini and script in a cluster',
  details: 'Agents that exist stay as they are. The chart runs this after an install and an upgrade.',
  examples: ['slipway create-agents --namespace slipway --allowed-images "ghcr.io/acme/*"'],
  flags: [
    {
      name: 'allowed-images',
      value: 'patterns',
      description: 'Their allowedImages, with commas between; empty: none but their own image; default: any',
    },
  ],
  settings: CLUSTER_SETTINGS,
  run: ({ config, values }) =>
    stoppingAll(async (onStop) => {
      const { connectCluster } = await import('../control-plane.ts')
      const { ensureAgents } = await import('../defaults.ts')
      const { client, namespace, close } = await connectCluster(config)
      onStop(close)
      const patterns = values.get('allowed-images')
      await ensureAgents(
        client,
        namespace,
        patterns?.split(',').filter((pattern) => pattern !== ''),
      )
      return 0
    }),
}

export const stopExecutionsCommand: Command = {
  name: 'stop-executions',
  summary: 'Cancel everything that runs or waits in a cluster, before Slipway is uninstalled',
  details: [
    'Cancels the tasks that are QUEUED, RUNNING or tried again by themselves, and deletes the queries of agents. The',
    'operator ends them; what has not ended after --wait loses its Job and its finalizer, so that nothing keeps the',
    'namespace from being deleted. Tasks, stories and files stay. The chart runs this before it is uninstalled.',
  ].join('\n'),
  examples: ['slipway stop-executions --namespace slipway --wait 2m'],
  flags: [{ name: 'wait', value: 'duration', description: 'How long the operator has to end executions; default 60s' }],
  settings: CLUSTER_SETTINGS,
  run: ({ config, values, terminal, signal }) =>
    stoppingAll(async (onStop) => {
      const waitMs = readWait(values.get('wait') ?? '60s')
      const { connectCluster } = await import('../control-plane.ts')
      const { stopExecutions } = await import('../stop-executions.ts')
      const { client, namespace, close } = await connectCluster(config)
      onStop(close)
      const say = (text: string) => terminal.out(`${text}\n`)
      await stopExecutions({ client, namespace, waitMs, clock: systemClock, say, signal })
      return 0
    }),
}

function readWait(text: string): number {
  try {
    return parseDuration(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`stop-executions: --wait: ${error.message}`, { cause: error })
  }
}
