/** The page of what people set up, such as an agent: its settings, and beside them the resource behind it. */
import { type ReactNode, useState } from 'react'
import type { Reading } from '../model/reading.ts'
import { Button } from './button.tsx'
import { CodeBlock } from './code-block.tsx'
import { ConfirmButton } from './confirm-button.tsx'
import css from './form-page.module.css'
import { ReadAgainPart } from './read-part.tsx'
import { Tabs } from './tabs.tsx'

interface SettingsTabsProps {
  /** What is set up: `agent`. */
  readonly noun: string
  readonly settings: ReactNode
  readonly yaml: ReactNode
}

export function SettingsTabs({ noun, settings, yaml }: SettingsTabsProps) {
  const [tab, setTab] = useState<'settings' | 'yaml'>('settings')
  return (
    <Tabs
      label={`Parts of the ${noun}`}
      value={tab}
      onChange={setTab}
      fill="fixed"
      tabs={[
        { id: 'settings', label: 'Settings', content: settings },
        { id: 'yaml', label: 'YAML', content: yaml },
      ]}
    />
  )
}

export function SettingsYaml({ noun, reading }: { readonly noun: string; readonly reading: Reading<string> }) {
  return (
    <div className={css['yaml']}>
      <ReadAgainPart what="The YAML" reading={reading} rows={4}>
        {(manifest) => <CodeBlock text={manifest} label={`YAML of the ${noun}`} />}
      </ReadAgainPart>
    </div>
  )
}

interface SettingsButtonsProps {
  readonly noun: string
  readonly isSaving: boolean
  /** Asked before it is deleted. */
  readonly question: string
  readonly removal: { readonly remove: () => void; readonly isPending: boolean; readonly changed: string }
}

export function SettingsButtons({ noun, isSaving, question, removal }: SettingsButtonsProps) {
  return (
    <>
      <Button look="primary" type="submit" isBusy={isSaving}>
        Save
      </Button>
      <ConfirmButton
        look="danger"
        question={question}
        confirm={`Delete the ${noun}`}
        again={removal.changed}
        isBusy={removal.isPending}
        onConfirm={removal.remove}
      >
        Delete…
      </ConfirmButton>
    </>
  )
}
