import type { Agent } from '../../../core/rest/client/client.ts'
import type { AgentAdapter } from '../../../core/crd/types.ts'
import { createAgent, usePrograms } from '../../api/setup.ts'
import { useSave } from '../../api/use-save.ts'
import { Button } from '../../components/button.tsx'
import { Finding, ProgramFinding } from '../../components/finding.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { ErrorState, Skeleton } from '../../components/view-states.tsx'
import css from './first-run.module.css'

interface AgentStepProps {
  readonly agents: readonly Agent[]
  readonly onDone: (agentId: string) => void
  readonly onBack: () => void
}

/** Who is to do the work: what was found on this machine, what is missing, and what mends it. */
export function AgentStep({ agents, onDone, onBack }: AgentStepProps) {
  const { data, error, refetch } = usePrograms()
  const { save, isPending, errors } = useSave((adapter: AgentAdapter) => createAgent({ id: adapter, adapter }), {
    fields: [],
    onDone: ({ id }) => onDone(id),
  })
  const agentOf = (adapter: AgentAdapter): Agent | undefined =>
    agents.find(({ id }) => id === adapter) ?? agents.find((agent) => agent.adapter === adapter)
  const use = (adapter: AgentAdapter): void => {
    const agent = agentOf(adapter)
    if (agent === undefined) save(adapter)
    else onDone(agent.id)
  }
  return (
    <section className={css['card']} aria-labelledby="first-run-step">
      <h2 id="first-run-step">Who shall do the work?</h2>
      <p>
        These programs were looked for where agents run. The script agent needs nothing, and runs the commands that you
        give it: with it you see the whole way at once.
      </p>
      {data === undefined && error === null && <Skeleton rows={4} label="Programs and logins are being looked for" />}
      {data === undefined && error !== null && (
        <ErrorState title="Programs could not be looked for" error={error} onRetry={() => void refetch()} />
      )}
      <FormError text={errors.rest} />
      {data?.place === 'this_machine' && (
        <ul className={css['choices']}>
          {data.programs.map((program) => (
            <li key={program.adapter}>
              <ProgramFinding program={program} />
              {program.is_ready && (
                <Button isBusy={isPending} onClick={() => use(program.adapter)}>
                  Use {program.adapter}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {data?.place === 'images' && (
        <ul className={css['choices']}>
          {agents.map((agent) => (
            <li key={agent.id}>
              <AgentFinding agent={agent} />
              {agent.status.reason === undefined && <Button onClick={() => onDone(agent.id)}>Use {agent.id}</Button>}
            </li>
          ))}
        </ul>
      )}
      <p className={css['actions']}>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
        {data?.place === 'this_machine' && (
          <Button look="quiet" onClick={() => void refetch()}>
            Look again
          </Button>
        )}
      </p>
    </section>
  )
}

/** In a cluster its image brings the program, and the operator has looked at its login. */
function AgentFinding({ agent: { id, adapter, status } }: { readonly agent: Agent }) {
  return (
    <Finding verdict={status.reason === undefined ? 'good' : 'bad'} title={id === adapter ? id : `${id} · ${adapter}`}>
      {status.reason !== undefined && <p>{status.reason}</p>}
    </Finding>
  )
}
