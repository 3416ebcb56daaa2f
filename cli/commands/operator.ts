import type { Command } from '../command.ts'

export const operatorCommand: Command = {
  name: 'operator',
  summary: 'Run the operator in a cluster',
  details:
    "Uses the pod's service account, or --kubeconfig. Serves /healthz and /readyz at --health-listen, port 8081 unless set.",
  flags: [],
  run: async (invocation) => (await import('../run-operator.ts')).runOperator(invocation),
}
