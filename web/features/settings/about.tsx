import { useVersion } from '../../api/queries.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { versionColor } from '../../model/version-color.ts'
import { formatInstant } from '../../model/time.ts'
import css from './settings.module.css'

/** As git abbreviates in a large repository; the whole fits no phone. */
const SHORT = 12

/** Which build of the server this is, and where its API is described. */
export function About() {
  const { data } = useVersion()
  const commit = data?.commit ?? ''
  return (
    <section className={css['group']}>
      <h2>About</h2>
      <dl className={css['facts']}>
        <dt>Version</dt>
        <dd>{data?.version ?? '…'}</dd>
        <dt>Commit</dt>
        <dd>
          {commit === '' ? (
            'not known to this build'
          ) : (
            <span className={css['commit']}>
              <b className={css['chip']} style={{ background: versionColor(commit) }} />
              <code title={commit}>{commit.slice(0, SHORT)}</code>
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
