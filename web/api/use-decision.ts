import { useMutation } from '@tanstack/react-query'

export interface Decision<A> {
  readonly decide: (argument: A) => void
  readonly isPending: boolean
}

interface Telling<A> {
  readonly onDone: (message: string, argument: A) => void
  readonly onRefused: (message: string) => void
}

/** A decision that a view offers: taken once at a time; what became of it is told in the server's words. */
export function useDecision<A>(take: (argument: A) => Promise<string>, { onDone, onRefused }: Telling<A>): Decision<A> {
  const { mutate, isPending } = useMutation({
    mutationFn: take,
    onSuccess: onDone,
    onError: (error) => onRefused(error.message),
  })
  return { decide: (argument) => mutate(argument), isPending }
}
