import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { type ChangedMeanwhile, isChangeOf } from './decisions.ts'
import { type Save, useSave } from './use-save.ts'
import { askToClose, useUnsaved } from './unsaved.ts'
import { type Bind, bindFields } from '../model/bind-fields.ts'

interface FormOptions<R, F, D> {
  readonly toForm: (record: R) => F
  /** By which the server names what the form shows. */
  readonly fields: readonly string[]
  /** @param seen what the person saw when they began to type */
  readonly write: (seen: R, form: F) => Promise<D>
  readonly onDone: (result: D) => void
}

export interface Form<R, F> extends Omit<Save<void>, 'setErrors'> {
  readonly form: F
  readonly change: (changed: Partial<F>) => void
  readonly of: Bind<F>
  /** Closes the form by `close`; asks before that where something was typed. */
  readonly leave: (close: () => void) => void
  /** What the person has seen. */
  readonly seen: R
}

/**
 * The form of a record that is to be made or changed. Until somebody types, the form follows the record; then it stays as the person saw it. If
 * somebody else has changed the record meanwhile, nothing is saved: what was typed stays, all else shows what the
 * record was then, and saving again stores it. What is changed after that is told again.
 *
 * @param record undefined: it is to be made
 */
export function useForm<R, F extends object, D>(
  record: R,
  { toForm, fields, write, onDone }: FormOptions<R, F, D>,
): Form<R, F> {
  const [typed, setTyped] = useState<Partial<F>>({})
  const [begunWith, setBegunWith] = useState<R>()
  const seen = begunWith ?? record
  const form: F = { ...toForm(seen), ...typed }
  const isChanged = Object.keys(typed).length > 0
  useUnsaved(isChanged)
  const noteChange = (error: unknown): never => {
    if (isChangeOf(seen, error)) setBegunWith(() => error.now)
    throw error
  }
  const { save, isPending, errors } = useSave((_sent: Partial<F>) => write(seen, form).catch(noteChange), {
    fields,
    onDone: (result, sent) => {
      // At once: where `onDone` goes elsewhere, nothing is unsaved any more. What was typed while it was being saved stays.
      flushSync(() => {
        setTyped((now) => (now === sent ? {} : now))
        setBegunWith(undefined)
      })
      onDone(result)
    },
  })
  const change = (changed: Partial<F>): void => {
    setBegunWith(() => seen)
    setTyped((before) => ({ ...before, ...changed }))
  }
  return {
    form,
    change,
    of: bindFields({ form, onChange: change, errors: errors.byField }),
    leave: (close) => (isChanged ? askToClose(close) : close()),
    seen,
    save: () => save(typed),
    isPending,
    errors,
  }
}

interface RemovalOptions<R> {
  readonly remove: (seen: R) => Promise<void>
  readonly onDone: () => void
  readonly onRefused: (message: string) => void
}

export interface Removal {
  readonly remove: () => void
  readonly isPending: boolean
  /** What has changed meanwhile, to be said in the next question; '' for nothing. */
  readonly changed: string
}

/**
 * Deletes a record as the person saw it; where it has changed, they are to be asked again. A form of the same record still
 * tells of the change beside its fields.
 */
export function useRemoval<R>(seen: R, { remove, onDone, onRefused }: RemovalOptions<R>): Removal {
  const [told, setTold] = useState<{ readonly seen: R; readonly error: ChangedMeanwhile<R> }>()
  const { mutate, isPending } = useMutation({
    mutationFn: (known: R) => remove(known),
    onSuccess: onDone,
    onError: (error, known) => (isChangeOf(known, error) ? setTold({ seen, error }) : onRefused(error.message)),
  })
  const known = told?.seen === seen ? told.error.now : seen
  return { remove: () => mutate(known), isPending, changed: told?.error.message ?? '' }
}
