/** The programs that run in a cluster, one pod each. */
import type { Command } from '../command.ts'

export const operatorCommand: Command = {
  name: 'operator',
  summary: 'Run the operator in a cluster',
  details:
    "Uses the pod's service account, or --kubeconfig. Serves /healthz and /readyz at --health-listen, port 8081 unless set.",
  flags: [],
  run: async (invocation) => (await import('../cluster-programs.ts')).runOperator(invocation),
}

export const apiServerCommand: Command = {
  name: 'api-server',
  summary: 'Run the API server in a cluster',
  details: "Uses the pod's service account, or --kubeconfig.",
  flags: [],
  run: async (invocation) => (await import('../cluster-programs.ts')).runApiServer(invocation),
}
