/** What has the focus for a row: the link of its own heading, not that of a row inside it; where there is none, the row. */
export function focusOfRow(row: HTMLElement): HTMLElement {
  const links = [...row.querySelectorAll<HTMLElement>('h3 a')]
  return links.find((link) => link.closest('[data-row]') === row) ?? row
}
