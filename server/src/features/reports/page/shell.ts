/** The documents around what links show. */

import type { PageReply } from '../../../http/feature.ts'
import { type Html, html } from '../../../values/markup/html.ts'
import { pageHeaders, style } from './style.ts'

export const documentOf = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.html

const reply = (status: number, text: string, headers: Record<string, string> = {}): PageReply => ({
  status,
  headers: { ...pageHeaders, ...headers },
  html: text,
})

export const shown = (text: string): PageReply => reply(200, text)

const goneText = documentOf(
  'Not available',
  html`<h1>This report is not available</h1>
<p>The link is wrong, has ended, or has been taken back. Ask for a new one where it came from.</p>`,
)

/** The same for all that shows nothing, so that it does not show which it is. */
export const gone = (): PageReply => reply(404, goneText)

export function tooMany(msLeft: number): PageReply {
  const seconds = Math.max(1, Math.ceil(msLeft / 1_000))
  const text = documentOf(
    'Too many requests',
    html`<h1>Too many requests</h1><p>Try again in ${seconds} seconds.</p>`,
  )
  return reply(429, text, { 'retry-after': String(seconds) })
}

/** Asks for the password; names nothing of the report. */
export function passwordForm(isWrong: boolean): PageReply {
  const text = documentOf(
    'Report',
    html`<h1>This report has a password</h1>
${isWrong ? html`<p role="alert" class="note">The password is wrong.</p>` : html``}
<form method="post">
<label for="password" class="soft">Password</label>
<input id="password" name="password" type="password" required maxlength="128" autocomplete="off" autofocus>
<button>Show the report</button>
</form>`,
  )
  return reply(isWrong ? 403 : 200, text)
}
