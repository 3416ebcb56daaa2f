import { useState } from 'react'
import type { Script } from '../../../core/rest/client/client.ts'
import type { ScriptEnd } from '../../api/scripts.ts'
import { runScript } from '../../api/scripts.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-parts.tsx'
import { Field, TextInput } from '../../components/form.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { ScriptOutput } from './script-output.tsx'
import css from './scripts.module.css'

/** One script: what it is for, its parameters, and how the last run from this page ended. */
export function ScriptForm({ script }: { readonly script: Script }) {
  const { name, description, parameters } = script
  const { may } = useSession()
  // No draft in the browser: a value may be a secret.
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const [end, setEnd] = useState<ScriptEnd>()
  const [problem, setProblem] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const values = Object.fromEntries(parameters.map((key) => [key, given[key] ?? '']))
  const run = async (): Promise<void> => {
    setRunning(true)
    setProblem(undefined)
    setEnd(undefined)
    try {
      setEnd(await runScript(name, values))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setRunning(false)
    }
  }
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
            void run()
          }}
        >
          {parameters.map((key) => (
            <Field key={key} label={key} name={key} isOptional>
              <TextInput isCode value={values[key] ?? ''} onChange={(value) => setGiven({ ...values, [key]: value })} />
            </Field>
          ))}
          {parameters.length === 0 && <p className={css['hint']}>It takes no parameters.</p>}
          <p>
            <Button type="submit" look="primary" isBusy={isRunning}>
              {isRunning ? 'Running…' : `Run ${name}`}
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
        {isRunning && 'It runs until its end, five minutes at most, also if you leave this page.'}
      </div>
      <FormError text={problem} />
      {end !== undefined && <ScriptOutput end={end} />}
    </section>
  )
}
