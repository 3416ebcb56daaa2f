import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { type FieldErrors, errorsOf, errorsOfMessage, NO_ERRORS } from '../model/field-errors.ts'
import { ChangedMeanwhile } from './decisions.ts'

export interface Save<A> {
  readonly save: (argument: A) => void
  readonly isPending: boolean
  readonly errors: FieldErrors
  readonly setErrors: (errors: FieldErrors) => void
}

interface SaveOptions<A, R> {
  /** By which the server names what the form shows. */
  readonly fields: readonly string[]
  readonly onDone: (result: R, argument: A) => void
}

/** Saves a form, and puts the server's refusal, or what somebody else has changed meanwhile, to its fields. */
export function useSave<A, R>(write: (argument: A) => Promise<R>, { fields, onDone }: SaveOptions<A, R>): Save<A> {
  const [errors, setErrors] = useState<FieldErrors>(NO_ERRORS)
  const { mutate, isPending } = useMutation({
    mutationFn: write,
    onMutate: () => setErrors(NO_ERRORS),
    onSuccess: onDone,
    onError: (error) => setErrors(toErrors(error, fields)),
  })
  return { save: (argument) => mutate(argument), isPending, errors, setErrors }
}

function toErrors(error: Error, fields: readonly string[]): FieldErrors {
  if (error instanceof ApiFailure) return errorsOfMessage(error.message, fields)
  if (error instanceof ChangedMeanwhile) {
    const said = `${error.message} What you typed is kept: save again to store it all the same.`
    const changes = error.changes.map(({ field, now }) => ({ field, message: `Somebody else made this: ${now}` }))
    return { ...errorsOf(changes, fields), rest: said }
  }
  const rest = error instanceof SyntaxError ? `What is to be JSON is none: ${error.message}` : error.message
  return { ...NO_ERRORS, rest }
}
