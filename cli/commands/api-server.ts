import type { Command } from '../command.ts'

export const apiServerCommand: Command = {
  name: 'api-server',
  summary: 'Run the API server in a cluster',
  details: "Uses the pod's service account, or --kubeconfig.",
  flags: [],
  run: async (invocation) => (await import('../run-api-server.ts')).runApiServer(invocation),
}
