import { createHash } from 'node:crypto'
import type { StepReply } from '../../../http/feature.ts'
import type { Problem } from '../../../problems/problem.ts'
import { type Html, html } from '../../../values/markup/html.ts'

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:15vh auto;max-width:28rem;padding:0 1rem}a{color:LinkText}`
const styleHash = createHash('sha256').update(style).digest('base64')

/** One inline style, and nothing that is loaded. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

const documentOf = (title: string, head: Html, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<style>${{ html: style }}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.html

/** Goes on to the console: only from a page of the service do browsers send its strict cookie. */
export function loggedInPage(token: string, next: string): StepReply {
  const head = html`<meta http-equiv="refresh" content="0; url=${next}">`
  const content = html`<h1>You are logged in</h1>
<p><a href="${next}">Go on to the console</a></p>`
  const text = documentOf('Logged in', head, content)
  return { status: 200, headers, html: text, token, attempt: null }
}

/** Says why the login failed. */
export function refusedPage(status: number, why: string): StepReply {
  const content = html`<h1>You are not logged in</h1>
<p>${why}</p>
<p><a href="/console">Back to the login</a></p>`
  return { status, headers, html: documentOf('Not logged in', html``, content), attempt: null }
}

/** Says why a step is refused; the login under way stays, for another try. */
export function problemPage({ status, message, headers: more }: Problem): StepReply {
  const { attempt: _, ...page } = refusedPage(status, message)
  return { ...page, headers: { ...headers, ...more } }
}

/** Asks a browser that another site has sent: no site logs its visitors in unasked. */
export function askedPage(url: URL): StepReply {
  const content = html`<h1>Log in with single sign-on</h1>
<p><a href="${`${url.pathname}${url.search}`}">Go on to your organization’s login</a></p>`
  return { status: 200, headers, html: documentOf('Log in', html``, content) }
}

export const redirect = (location: string, attempt?: string): StepReply => ({
  status: 302,
  headers: { location, 'referrer-policy': 'no-referrer' },
  html: '',
  ...(attempt !== undefined && { attempt }),
})
