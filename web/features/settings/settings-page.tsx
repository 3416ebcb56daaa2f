import { useState } from 'react'
import type { Answer } from '../../../core/rest/client/client.ts'
import { shortCommit } from '../../../core/text.ts'
import { usePush } from '../../api/push.ts'
import { useVersion } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { type Theme, currentTheme, setTheme, THEMES } from '../../components/theme.ts'
import { ViewHeader } from '../../components/view-header.tsx'
import { Skeleton } from '../../components/view-states.tsx'
import { KEYS } from '../../model/keys.ts'
import { formatInstant } from '../../model/time.ts'
import { versionColor } from '../../model/version-color.ts'
import { Access } from './access.tsx'
import { Notifications } from './notifications.tsx'
import css from './settings.module.css'

/** The view at /settings: what this browser keeps, who it is signed in as, and what it talks to. */
export function SettingsPage() {
  const { phase } = useSession()
  const [push, version] = [usePush(), useVersion()]
  const isKnown = phase !== 'unknown' && !push.isPending && !version.isPending
  return (
    <>
      <ViewHeader title="Settings">
        <span>of this browser</span>
      </ViewHeader>
      {isKnown ? (
        <div className={css['page']}>
          <Notifications {...push} />
          <ThemeChoice />
          <Access />
          <About version={version.data} />
          <Keys />
        </div>
      ) : (
        <Skeleton rows={10} label="The settings are being read" />
      )}
    </>
  )
}

/** What the keyboard does. */
function Keys() {
  return (
    <section className={css['group']}>
      <h2>Keys</h2>
      <dl className={css['facts']}>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const THEME_WORDS: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** Light, dark, or as the system has it. */
function ThemeChoice() {
  const [theme, choose] = useState(currentTheme)
  return (
    <fieldset className={css['group']}>
      <legend>Theme</legend>
      <div className={css['choices']}>
        {THEMES.map((option) => (
          <label key={option}>
            <input
              type="radio"
              name="theme"
              checked={theme === option}
              onChange={() => {
                setTheme(option)
                choose(option)
              }}
            />
            {THEME_WORDS[option]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Which build of the server this is, and where its API is described. */
function About({ version: data }: { readonly version: Awaited<Answer<'getVersion'>> | undefined }) {
  const commit = data?.commit ?? ''
  return (
    <section className={css['group']}>
      <h2>About</h2>
      <dl className={css['facts']}>
        <dt>Version</dt>
        <dd>{data?.version ?? 'not told by the server'}</dd>
        <dt>Commit</dt>
        <dd>
          {commit === '' ? (
            'not known to this build'
          ) : (
            <span className={css['commit']}>
              <b className={css['chip']} style={{ background: versionColor(commit) }} />
              <code title={commit}>{shortCommit(commit)}</code>
              <CopyButton isIconOnly text={commit} label="Copy the whole commit" />
            </span>
          )}
        </dd>
        {data !== undefined && data.built_at !== '' && (
          <>
            <dt>Built</dt>
            <dd>{formatInstant(data.built_at)}</dd>
          </>
        )}
        <dt>API</dt>
        <dd>
          <a href="/api/docs">Pages of the REST API</a>, <a href="/api/openapi.json">OpenAPI document</a>
        </dd>
      </dl>
    </section>
  )
}
