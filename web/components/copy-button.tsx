import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { SMALL_ICON } from './icons.tsx'
import { refuse } from './toast.tsx'

interface CopyButtonProps {
  readonly text: string
  /** Names the copied text, for screen readers and as the tooltip: `Copy the command`. */
  readonly label: string
  /** Only the icon, where the words would be too much. */
  readonly isIconOnly?: boolean
}

const SHOWN_MS = 1_500

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label, isIconOnly = false }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    if (await toClipboard(text)) setCopied(true)
    else refuse('The browser does not let this page copy: select the text and press Ctrl C.')
  }
  const Icon = isCopied ? Check : Copy
  return (
    <Button isSmall look="quiet" title={label} aria-label={label} onClick={() => void copy()}>
      <Icon size={SMALL_ICON} aria-hidden />
      {!isIconOnly && (isCopied ? 'Copied' : 'Copy')}
      <span className="unseen" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </Button>
  )
}

/** Gives whether it is there. Without TLS browsers have no clipboard for pages, except for those of this machine. */
async function toClipboard(text: string): Promise<boolean> {
  if (!isSecureContext) return copySelection(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch (error) {
    if (error instanceof DOMException) return false
    throw error
  }
}

function copySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  return isDone
}
