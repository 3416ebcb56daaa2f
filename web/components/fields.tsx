/** Labels with their controls. */
import type { ComponentProps } from 'react'
import { ListEditor } from './form-parts.tsx'
import type { FieldProps } from './form.tsx'
import { Field, Select, TextArea, TextInput } from './form.tsx'

type Labelled<P> = Omit<FieldProps, 'children'> & Omit<P, 'name'>

export function TextField({
  label,
  name,
  hint,
  error,
  isOptional,
  ...control
}: Labelled<ComponentProps<typeof TextInput>>) {
  return (
    <Field {...{ label, name, hint, error, isOptional }}>
      <TextInput {...control} />
    </Field>
  )
}

export function AreaField({
  label,
  name,
  hint,
  error,
  isOptional,
  ...control
}: Labelled<ComponentProps<typeof TextArea>>) {
  return (
    <Field {...{ label, name, hint, error, isOptional }}>
      <TextArea {...control} />
    </Field>
  )
}

export function ListField({
  label,
  name,
  hint,
  error,
  isOptional,
  ...control
}: Labelled<ComponentProps<typeof ListEditor>>) {
  return (
    <Field {...{ label, name, hint, error, isOptional }}>
      <ListEditor {...control} />
    </Field>
  )
}

type SelectProps<V extends string> = ComponentProps<typeof Select<V>>

export function SelectField<V extends string>({
  label,
  name,
  hint,
  error,
  isOptional,
  ...control
}: Labelled<SelectProps<V>>) {
  return (
    <Field {...{ label, name, hint, error, isOptional }}>
      <Select {...control} />
    </Field>
  )
}
