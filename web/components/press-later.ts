/**
 * Presses the button that a key means, unless something else takes the key: by then it is known whether it was the second
 * of two, such as `g a`, and what it opens does not get it.
 */
export function pressLater(event: KeyboardEvent, button: HTMLButtonElement): void {
  setTimeout(() => {
    if (!event.defaultPrevented) button.click()
  })
}
