import { Link, useSearch } from '@tanstack/react-router'
import type { Script } from '../../../core/rest/client/client.ts'
import { useScripts } from '../../api/scripts.ts'
import { useSession } from '../../api/session.ts'
import { EmptyState, ErrorState, NoPermission, Skeleton } from '../../components/view-states.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { ScriptForm } from './script-form.tsx'
import css from './scripts.module.css'
import { parseScriptsSearch } from './search.ts'

/** The view at /scripts: the commands of this installation, each with its parameters and how its run ended. */
export function ScriptsPage() {
  const { script } = useSearch({ strict: false, select: parseScriptsSearch })
  const { data, error, refetch } = useScripts()
  const { phase, name, may } = useSession()
  if (phase === 'signed-in' && !may('read')) return <NoPermission scope="read" name={name} />
  const chosen = data?.find((each) => each.name === script)
  return (
    <>
      <ViewHeader title="Scripts">
        <span>commands of this installation</span>
      </ViewHeader>
      {data === undefined && error === null && <Skeleton rows={4} label="The scripts are being read" />}
      {data === undefined && error !== null && (
        <ErrorState title="The scripts could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <div className={css['page']}>
          <nav aria-label="Scripts" className={css['list']}>
            <ul>
              {data.map((each) => (
                <Row key={each.name} script={each} isChosen={each === chosen} />
              ))}
            </ul>
            <Hint />
          </nav>
          {chosen === undefined ? <NoChoice name={script} /> : <ScriptForm key={chosen.name} script={chosen} />}
        </div>
      )}
    </>
  )
}

function Row({ script, isChosen }: { readonly script: Script; readonly isChosen: boolean }) {
  return (
    <li>
      <Link to="/scripts" search={{ script: script.name }} aria-current={isChosen ? 'true' : undefined}>
        <code>{script.name}</code>
        {script.built_in && <span className={css['tag']}>built in</span>}
        <span className={css['description']}>{showUnseen(script.description ?? 'says nothing about itself')}</span>
      </Link>
    </li>
  )
}

function Hint() {
  return (
    <p className={css['hint']}>
      Every executable file of the folder <code>scriptsDir</code> is here. A comment{' '}
      <code># slipway-description: …</code> says what it is for, <code># slipway-parameters: …</code> what it takes.
    </p>
  )
}

function NoChoice({ name }: { readonly name: string | undefined }) {
  return (
    <div>
      <EmptyState title={name === undefined ? 'Choose a script' : `There is no script ${name}`}>
        A script runs on the server with the parameters that you give it; its output appears here when it ends.
      </EmptyState>
    </div>
  )
}
