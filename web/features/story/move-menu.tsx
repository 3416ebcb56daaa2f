import { ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { StoryStatus } from '../../../core/crd/types.ts'
import { Button } from '../../components/button.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { STATUS_WORDS } from '../../model/story-status.ts'
import css from './story.module.css'

interface MoveMenuProps {
  readonly targets: readonly StoryStatus[]
  readonly isBusy: boolean
  readonly onMove: (to: StoryStatus) => void
}

/** The statuses that a person may move the story to now. */
export function MoveMenu({ targets, isBusy, onMove }: MoveMenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button isSmall isBusy={isBusy}>
          Move to <ChevronDown size={SMALL_ICON} aria-hidden />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css['menu']} align="end" sideOffset={4}>
          {targets.map((to) => (
            <DropdownMenu.Item key={to} onSelect={() => onMove(to)}>
              {STATUS_WORDS[to]}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
