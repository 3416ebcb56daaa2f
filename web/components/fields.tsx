/** Labels with their controls. */
import type { ComponentProps } from 'react'
import { ListEditor } from './form-parts.tsx'
import { type FieldProps, Field, Select, TextArea, TextInput } from './form.tsx'

type Labels = Omit<FieldProps, 'children'>
type Labelled<P> = Labels & Omit<P, 'name'>

export function TextField(props: Labelled<ComponentProps<typeof TextInput>>) {
  const { labels, control } = splitLabels(props)
  return (
    <Field {...labels}>
      <TextInput {...control} />
    </Field>
  )
}

export function AreaField(props: Labelled<ComponentProps<typeof TextArea>>) {
  const { labels, control } = splitLabels(props)
  return (
    <Field {...labels}>
      <TextArea {...control} />
    </Field>
  )
}

export function ListField(props: Labelled<ComponentProps<typeof ListEditor>>) {
  const { labels, control } = splitLabels(props)
  return (
    <Field {...labels}>
      <ListEditor {...control} />
    </Field>
  )
}

export function SelectField<V extends string>(props: Labelled<ComponentProps<typeof Select<V>>>) {
  const { labels, control } = splitLabels(props)
  return (
    <Field {...labels}>
      <Select {...control} />
    </Field>
  )
}

/** What the field takes, and what its control does. */
function splitLabels<P extends Labels>({ label, name, hint, error, isOptional, ...control }: P) {
  return { labels: { label, name, hint, error, isOptional }, control }
}
