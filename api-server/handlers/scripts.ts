import { BY_NAME } from '../records/order.ts'
import { paginate } from '../records/pages.ts'
import { represent } from '../records/representation.ts'
import { startNextTask } from '../scripts/start-next-task.ts'
import type { DecisionContext } from '../commands/decide-task.ts'
import type { Scripts } from '../scripts/runner.ts'
import type { Handlers } from './handler.ts'

interface ScriptContext extends DecisionContext {
  readonly scripts: Scripts
  /** Base URL that processes on this machine reach the server under. */
  readonly serverUrl: () => string
}

/** Named scripts of the installation. */
export function scriptHandlers(context: ScriptContext) {
  const { scripts, serverUrl } = context
  return {
    async listScripts({ query }) {
      const page = paginate(await scripts.list(), query, BY_NAME)
      return { status: 200, body: represent([...page.items]), headers: page.headers('/api/scripts') }
    },
    async runScript({ params, query, caller }) {
      const parameters = Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]))
      const builtIns = {
        'start-next-task': {
          takes: ['AGENT'],
          perform: (variables: Readonly<Record<string, string>>) => startNextTask(context, variables, caller),
        },
      }
      return {
        status: 200,
        body: represent(await scripts.run(params.name, parameters, { serverUrl: serverUrl(), builtIns })),
      }
    },
  } satisfies Partial<Handlers>
}
