import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, use } from 'react'
import { commitUrl } from '../../../core/rest/branch-urls.ts'
import type { Environment, Project } from '../../../core/rest/client/client.ts'
import { environmentCosts, environmentUsers, lastUse } from '../../../core/sentences/environment.ts'
import { shortCommit } from '../../../core/text.ts'
import { useSession } from '../../api/session.ts'
import { buildEnvironment, deleteEnvironment } from '../../api/setup.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { NowContext, TimeAgo } from '../../components/time-ago.tsx'
import { notify, refuse } from '../../components/toast.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { environmentStateWords } from '../../model/state-words.ts'
import css from './projects.module.css'

/** What the setups of a project have prepared, newest first. */
export function Environments({
  project,
  environments,
}: {
  readonly project: Project
  readonly environments: readonly Environment[]
}) {
  const isBuilding = environments.some(({ state, only_for }) => state === 'building' && only_for === undefined)
  return (
    <>
      <ul className={css['environments']} aria-label="Prepared environments">
        {environments.map((environment) => (
          <Row key={environment.execution} project={project} environment={environment} />
        ))}
      </ul>
      {!isBuilding && (
        <div>
          <BuildButton project={project}>Build again</BuildButton>
        </div>
      )}
    </>
  )
}

function Row({ project, environment }: { readonly project: Project; readonly environment: Environment }) {
  const { execution, state, commit, used_at, built_at, started_at, message } = environment
  const nowMs = use(NowContext)
  const since = built_at ?? started_at
  const facts: readonly ReactNode[] = [
    `for ${environmentUsers(environment)}`,
    commit !== undefined && <Commit key="commit" project={project} commit={commit} />,
    environmentCosts(environment),
    since !== undefined && <TimeAgo key="since" at={since} />,
    used_at !== undefined && nowMs !== undefined && `last used ${lastUse(used_at, nowMs)} ago`,
  ]
  return (
    <li>
      <div className={css['environment']}>
        <StateBadge words={environmentStateWords(state)} />
        <Link
          to="/executions/$executionId"
          params={{ executionId: execution }}
          search={{ tab: 'log' }}
          className={css['log']}
        >
          Log of {execution}
        </Link>
        {state !== 'building' && <RemoveButton project={project} execution={execution} />}
      </div>
      <div className={css['facts']}>
        {facts
          .filter((fact) => fact !== false && fact !== '')
          .map((fact, index) => (
            <span key={index}>{fact}</span>
          ))}
      </div>
      {message !== undefined && <CodeBlock text={showUnseen(message)} label={`Why ${execution} failed`} isWrapped />}
    </li>
  )
}

/** Linked where the host is known. */
function Commit({ project, commit }: { readonly project: Project; readonly commit: string }) {
  const url = commitUrl(project.remote_url, commit)
  const short = <code>{shortCommit(commit)}</code>
  return <>at {url === undefined ? short : <a href={url}>{short}</a>}</>
}

/** Has the environment built anew. */
export function BuildButton({ project, children }: { readonly project: Project; readonly children: ReactNode }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => buildEnvironment(project),
    onSuccess: () => notify('The environment is built anew'),
    onError: (error) => refuse(error.message),
  })
  if (!useSession().may('admin')) return null
  return (
    <Button isSmall isBusy={isPending} onClick={() => mutate()}>
      {children}
    </Button>
  )
}

function RemoveButton({ project, execution }: { readonly project: Project; readonly execution: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteEnvironment(project, execution),
    onSuccess: () => notify(`${execution} removed`),
    onError: (error) => refuse(error.message),
  })
  if (!useSession().may('admin')) return null
  return (
    <ConfirmButton
      isSmall
      look="quiet"
      question={`Remove ${execution}? The next task that needs it has it built again.`}
      confirm="Remove"
      isBusy={isPending}
      onConfirm={() => mutate()}
    >
      Remove…
    </ConfirmButton>
  )
}
