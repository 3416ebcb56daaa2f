/** A part of a form: its values, how they change, and what the server refuses, by the names of the REST API. */
export interface FormPart<F> {
  readonly form: F
  readonly onChange: (change: Partial<F>) => void
  readonly errors: ReadonlyMap<string, string>
}

interface Bound<V> {
  readonly name: string
  readonly value: V
  readonly onChange: (value: V) => void
  readonly error: string | undefined
}

/** Ties a field to the value `key`; `name` is what the REST API calls it where that differs. */
export type Bind<F> = <K extends keyof F & string>(key: K, name?: string) => Bound<F[K]>

export function bindFields<F>({ form, onChange, errors }: FormPart<F>): Bind<F> {
  return (key, name = key) => ({
    name,
    value: form[key],
    onChange(value) {
      const change: Partial<F> = {}
      change[key] = value
      onChange(change)
    },
    error: errors.get(name),
  })
}
