/** Texts of people as HTML: paragraphs and lists, all escaped. Pure. */

import { type Html, html } from '../../../values/markup/html.ts'

const isItem = (line: string): boolean => /^[-*] /.test(line)

export const paragraphsOf = (text: string | null | undefined): Html[] =>
  (text ?? '')
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .filter((block) => block.trim() !== '')
    .flatMap((block) => partsOf(block.split('\n')))

/** Lines that follow each other and are items, or are not. */
function partsOf(lines: readonly string[]): Html[] {
  const parts: string[][] = []
  for (const line of lines) {
    const last = parts.at(-1)
    if (last && isItem(last[0] ?? '') === isItem(line)) last.push(line)
    else parts.push([line])
  }
  return parts.map((part) => (isItem(part[0] ?? '') ? listOf(part) : paragraphOf(part)))
}

const listOf = (lines: readonly string[]): Html =>
  html`<ul>${lines.map((line) => html`<li>${line.slice(2)}</li>`)}</ul>\n`

const paragraphOf = (lines: readonly string[]): Html =>
  html`<p>${lines.map((line, at) => (at === 0 ? html`${line}` : html`<br>${line}`))}</p>\n`
