/** Pages of a sign-in that did not end in a session: a browser shows them in place of the UI. */

export interface SignInPage {
  readonly title: string
  /** Paragraphs, as plain text. */
  readonly text: readonly string[]
  /** Where to begin again. */
  readonly startUrl: string
}

export function formatSignInPage({ title, text, startUrl }: SignInPage): string {
  const paragraphs = text.map((each) => `<p>${escape(each)}</p>`).join('\n')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)} – Slipway</title>
<style>:root{color-scheme:light dark;background:Canvas;color:CanvasText}body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}p{overflow-wrap:anywhere}</style>
<main>
<h1>${escape(title)}</h1>
${paragraphs}
<p><a href="${escape(startUrl)}">Sign in again</a> · <a href="/">Slipway</a></p>
</main></html>
`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
}
