import { MoreHorizontal } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Button } from '../../components/button.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import css from './story.module.css'

export interface MenuEntry {
  readonly label: string
  readonly onSelect: () => void
}

/** What is done with a story seldom, behind one button. */
export function MoreMenu({ entries }: { readonly entries: readonly MenuEntry[] }) {
  if (entries.length === 0) return null
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button isSmall look="quiet" aria-label="More" title="More">
          <MoreHorizontal size={SMALL_ICON} aria-hidden />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css['menu']} align="end" sideOffset={4}>
          {entries.map(({ label, onSelect }) => (
            <DropdownMenu.Item key={label} onSelect={onSelect}>
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
