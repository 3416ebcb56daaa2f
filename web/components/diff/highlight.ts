/** Reads code for its colours. Loaded with the first diff that has some: the grammars are the largest part of it. */
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import makefile from 'highlight.js/lib/languages/makefile'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import scss from 'highlight.js/lib/languages/scss'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'
import type { Language, Token, TokenKind } from './syntax.ts'

const web = { css, javascript, json, php, scss, typescript, xml }
const compiled = { c, cpp, csharp, go, java, kotlin, rust, swift }
const other = { bash, dockerfile, ini, makefile, python, ruby, sql, yaml }
const reader = createLowlight({ ...web, ...compiled, ...other } satisfies Record<Language, unknown>)

/** By what highlight.js calls the parts of a code; others have the colour of text. */
const KINDS: Readonly<Record<string, TokenKind>> = {
  'hljs-comment': 'comment',
  'hljs-quote': 'comment',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-symbol': 'string',
  'hljs-keyword': 'keyword',
  'hljs-built_in': 'keyword',
  'hljs-name': 'keyword',
  'hljs-selector-tag': 'keyword',
  'hljs-number': 'number',
  'hljs-literal': 'number',
  'hljs-title': 'name',
  'hljs-type': 'name',
  'hljs-attr': 'name',
  'hljs-attribute': 'name',
  'hljs-property': 'name',
  'hljs-section': 'name',
  'hljs-meta': 'meta',
  'hljs-doctag': 'meta',
}

type Root = ReturnType<typeof reader.highlight>
type Child = Root['children'][number]

/** The coloured parts of a text, in order, none within another one. */
export function readTokens(language: Language, text: string): readonly Token[] {
  const tokens: Token[] = []
  let position = 0
  const visit = (node: Child, kind: TokenKind | undefined): void => {
    if (node.type === 'text') {
      const start = position
      position += node.value.length
      if (kind !== undefined && position > start) tokens.push({ start, end: position, kind })
    }
    if (node.type !== 'element') return
    const [name] = Array.isArray(node.properties.className) ? node.properties.className : []
    // What is put into a text, as `${name}` is, is no text.
    const own = name === 'hljs-subst' ? undefined : (KINDS[String(name)] ?? kind)
    for (const child of node.children) visit(child, own)
  }
  for (const child of reader.highlight(language, text).children) visit(child, undefined)
  // Were the text another one, colours would stand beside what they are of.
  return position === text.length ? tokens : []
}
