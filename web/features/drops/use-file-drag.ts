import { useEffect, useState } from 'react'

/**
 * Takes files that are dragged onto the page, and says while they are over it. Without it a file that is let go beside
 * the mark would replace the page.
 *
 * @param onFiles undefined: files are not taken, and are kept from opening in place of the page
 */
export function useFileDrag(onFiles: ((files: readonly File[]) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      event.dataTransfer.dropEffect = onFiles === undefined ? 'none' : 'copy'
      setOver(onFiles !== undefined)
    }
    const onLeave = (event: DragEvent): void => {
      // Only where the pointer leaves the window, not from one element to the next.
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent): void => {
      if (event.dataTransfer === null || !event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(false)
      const files = [...event.dataTransfer.files]
      if (files.length > 0) onFiles?.(files)
    }
    addEventListener('dragover', onOver)
    addEventListener('dragleave', onLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
    }
  }, [onFiles])
  return isOver
}
