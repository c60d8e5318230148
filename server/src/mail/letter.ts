import { html } from '../values/markup/html.ts'

/** A mail in words: what happened, by whom, and one link. */
export type Letter = {
  readonly subject: string
  /** Paragraphs. */
  readonly lines: readonly string[]
  readonly link?: { readonly name: string; readonly url: string }
  /** The remarks below the link. */
  readonly remarks: readonly string[]
}

const longestName = 80
/** Control characters, line ends and marks that turn the direction of text. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/**
 * A name as it stands in a mail: on one line, short, and with a gap in what programs would take for an
 * address, as a mail has no link but its own.
 */
export function nameInMail(name: string): string {
  const plain = name.replaceAll(unprintable, ' ').trim()
  const points = [...plain]
  const cut = points.length > longestName ? `${points.slice(0, longestName).join('')}…` : plain
  return withGaps(cut)
}

/** With gaps in what programs would take for an address. */
export const withGaps = (text: string): string => text.replaceAll(/([.:@/])(?=\S)/g, '$1\u200b')

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** `28 November 2026 at 09:30 UTC` */
export const dateInMail = (time: string): string => `${moment.format(new Date(time))} UTC`

/** One line without control characters: nothing in it can end a header. */
export const headerText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

export const textOf = ({ subject, lines, link, remarks }: Letter): string =>
  [subject, ...lines, ...(link ? [`${link.name}:\n${link.url}`] : []), '--', ...remarks].join(
    '\n\n',
  )

const style = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 0; background: #f4f6fa; color: #1a2433; }
.card { background: #ffffff; border: 1px solid #dde3ec; border-radius: 8px; }
.soft { color: #55617a; }
.button { background: #1257c9; color: #ffffff; }
@media (prefers-color-scheme: dark) {
  body, .page { background: #0e131b !important; color: #e6ebf3 !important; }
  .card { background: #161d28 !important; border-color: #2a3445 !important; }
  .soft { color: #9fabc0 !important; }
  .button { background: #2563c9 !important; color: #ffffff !important; }
}`

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

export const htmlOf = ({ subject, lines, link, remarks }: Letter): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${{ html: style }}</style>
</head>
<body style="${font};font-size:16px;line-height:1.5">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="border:0">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;text-align:left">
<tr><td style="padding:28px 32px;overflow-wrap:anywhere;${font}">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${subject}</h1>
${lines.map((line) => html`<p style="margin:0 0 14px">${line}</p>\n`)}${
  link
    ? html`<p style="margin:22px 0"><a class="button" href="${link.url}" style="display:inline-block;padding:11px 20px;border-radius:6px;text-decoration:none;font-weight:600">${link.name}</a></p>`
    : html``
}
${remarks.map((line) => html`<p class="soft" style="margin:0 0 8px;font-size:14px">${line}</p>\n`)}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.html
