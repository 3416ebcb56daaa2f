/** The programs that run in a cluster, one pod each. Each is loaded alone: an operator has no use for the code of an API server. */
import type { Command } from '../command.ts'

export const operatorCommand: Command = {
  name: 'operator',
  summary: 'Run the operator in a cluster',
  details:
    "Uses the pod's service account, or --kubeconfig. Serves /healthz and /readyz at --health-listen, port 8081 unless set.",
  flags: [],
  run: async (invocation) => (await import('../cluster-operator.ts')).runOperator(invocation),
}

export const apiServerCommand: Command = {
  name: 'api-server',
  summary: 'Run the API server in a cluster',
  details: "Uses the pod's service account, or --kubeconfig.",
  flags: [],
  run: async (invocation) => (await import('../cluster-api.ts')).runApiServer(invocation),
}
