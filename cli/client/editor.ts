/** The person's editor, on a file of its own that outlives this process until somebody removes it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A text in a file that only this user can read. */
export interface EditedFile {
  readonly path: string
  /** Shows a text in the editor and gives back what was made of it. @throws Error that says how the editor failed */
  edit(text: string): Promise<string>
  remove(): Promise<void>
}

/** As git and kubectl choose it: VISUAL, EDITOR, else vi. It may have arguments, such as `code --wait`. */
export function findEditor({ VISUAL = '', EDITOR = '' }: Readonly<Record<string, string | undefined>>): string {
  return VISUAL || EDITOR || 'vi'
}

/** The same for a folder, of which vi shows little. */
export function findFolderEditor({ VISUAL = '', EDITOR = '' }: Readonly<Record<string, string | undefined>>): string {
  return VISUAL || EDITOR || 'code'
}

/** @param name of the file, whose end tells the editor what is in it */
export async function openEditedFile(editor: string, name: string): Promise<EditedFile> {
  const path = join(await mkdtemp(join(tmpdir(), 'slipway-edit-')), name)
  return {
    path,
    async edit(text) {
      await writeFile(path, text, { mode: 0o600 })
      await runEditor(editor, path)
      return readFile(path, 'utf8')
    },
    remove: () => rm(dirname(path), { recursive: true, force: true }),
  }
}

/** Shows a file or folder until the editor ends. @throws Error that says how it failed */
export async function runEditor(editor: string, path: string): Promise<void> {
  // A shell splits the arguments, as git does it; the path is no part of the script.
  const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, 'editor', path], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0)
    throw new Error(`the editor (${editor}) ended with ${code ?? 'a signal'}: set VISUAL or EDITOR to another one`)
}
