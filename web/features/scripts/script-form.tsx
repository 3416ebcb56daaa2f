import { useState } from 'react'
import { formatSpan } from '../../../core/sentences/amounts.ts'
import type { Script } from '../../../core/rest/client/client.ts'
import { type ScriptEnd, runScript } from '../../api/scripts.ts'
import { useSession } from '../../api/session.ts'
import { useUnsaved } from '../../api/unsaved.ts'
import { useSave } from '../../api/use-save.ts'
import { AnsiText } from '../../components/ansi-text.tsx'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { TextField } from '../../components/fields.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { ICON, STATE_ICONS } from '../../components/icons.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { exitWords } from './exit-words.ts'
import css from './scripts.module.css'

const NOT_RUN = { title: 'Leave without running it?', text: 'The values that you have typed are not kept.' }

/** One script: what it is for, its parameters, and how the last run from this page ended. */
export function ScriptForm({ script }: { readonly script: Script }) {
  const { name, description, parameters } = script
  const { may } = useSession()
  // No draft in the browser: a value may be a secret.
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const [isTyped, setTyped] = useState(false)
  const [end, setEnd] = useState<ScriptEnd>()
  const values = Object.fromEntries(parameters.map((key) => [key, given[key] ?? '']))
  const { save, isPending, errors } = useSave(
    () => {
      setTyped(false)
      setEnd(undefined)
      // What was not taken is still to be run.
      return runScript(name, values).catch((error: unknown) => {
        setTyped(true)
        throw error
      })
    },
    { fields: parameters, onDone: setEnd },
  )
  useUnsaved(isTyped, NOT_RUN)
  return (
    <section className={css['script']} aria-labelledby="script-name">
      <h2 id="script-name">
        <code>{name}</code>
      </h2>
      {description !== undefined && <p>{showUnseen(description)}</p>}
      {may('admin') ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save(undefined)
          }}
        >
          {parameters.map((key) => (
            <TextField
              key={key}
              label={key}
              name={key}
              isOptional
              error={errors.byField.get(key)}
              isCode
              value={values[key] ?? ''}
              onChange={(value) => {
                setTyped(true)
                setGiven({ ...values, [key]: value })
              }}
            />
          ))}
          {parameters.length === 0 && <p className={css['hint']}>It takes no parameters.</p>}
          <p>
            <Button type="submit" look="primary" isBusy={isPending}>
              {isPending ? 'Running…' : `Run ${name}`}
            </Button>
          </p>
        </form>
      ) : (
        <p className={css['hint']}>
          {parameters.length > 0 && <>It takes {parameters.join(', ')}. </>}
          To run scripts a token needs the scope <code>admin</code>.
        </p>
      )}
      <div role="status" className={css['hint']}>
        {isPending && 'It runs until its end, five minutes at most, also if you leave this page.'}
      </div>
      <FormError text={errors.rest} />
      {end !== undefined && <ScriptOutput end={end} />}
    </section>
  )
}

/** How a script ended, and what it wrote. */
function ScriptOutput({ end }: { readonly end: ScriptEnd }) {
  const { exit_code, stdout, stderr, duration_seconds } = end
  const Icon = STATE_ICONS[exit_code === 0 ? 'done' : 'failed']
  return (
    <div className={css['end']}>
      <p role="status" className={css['status']} data-tone={exit_code === 0 ? 'done' : 'fail'}>
        <Icon size={ICON} aria-hidden />
        {exitWords(exit_code)} after {formatSpan(duration_seconds * 1000)}
      </p>
      {stdout === '' && stderr === '' && <p className={css['hint']}>It wrote nothing.</p>}
      <Stream name="Output" text={stdout} />
      <Stream name="Errors" text={stderr} />
    </div>
  )
}

/** Beyond this the page would take long to draw; all of it is copied. */
const MOST_LINES = 2_000

function Stream({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === '') return null
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = lines.slice(-MOST_LINES)
  return (
    <section aria-label={name}>
      <div className={css['streamHead']}>
        <h3>{name}</h3>
        {lines.length > shown.length && <span className={css['hint']}>the last {MOST_LINES} lines</span>}
        <CopyButton text={text} label={`Copy: ${name}`} />
      </div>
      {/* What scrolls can be scrolled by keys alone (WCAG 2.1.1). */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre role="region" aria-label={`${name} of the script`} tabIndex={0} className={css['stream']}>
        {shown.map((line, index) => (
          <div key={index}>{line === '' ? ' ' : <AnsiText text={line} />}</div>
        ))}
      </pre>
    </section>
  )
}
