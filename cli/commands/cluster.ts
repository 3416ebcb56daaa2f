/** The programs that run in a cluster, one pod each. Each is loaded alone: an operator has no use for the code of an API server. */
import type { Command } from '../command.ts'
import { API_SETTINGS, OPERATOR_SETTINGS } from '../settings.ts'

export const operatorCommand: Command = {
  name: 'operator',
  summary: 'Run the operator in a cluster',
  details:
    "Uses the pod's service account, or --kubeconfig. Serves /healthz and /readyz at --health-listen, port 8081 unless set.",
  examples: ['slipway operator --config /etc/slipway/config.yaml'],
  flags: [],
  settings: OPERATOR_SETTINGS,
  run: async (invocation) => (await import('../cluster-operator.ts')).runOperator(invocation),
}

export const apiServerCommand: Command = {
  name: 'api-server',
  summary: 'Run the API server in a cluster',
  details: "Uses the pod's service account, or --kubeconfig.",
  examples: ['slipway api-server --config /etc/slipway/config.yaml'],
  flags: [],
  settings: API_SETTINGS,
  run: async (invocation) => (await import('../cluster-api.ts')).runApiServer(invocation),
}
