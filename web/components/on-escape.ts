import type { KeyboardEvent } from 'react'

/** What handles the keys of a part that Escape closes; what lies around it, such as a panel, stays open. */
export function onEscape(close: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    // Within an input method the key takes back what is being composed.
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.preventDefault()
    close()
  }
}
