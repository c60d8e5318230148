import { createHash } from 'node:crypto'
import { type Html, html } from '../../values/markup/html.ts'
import { style } from './style.ts'

/** An aircraft's nose over a deck line. */
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#1769e0"/><path d="M6 20 26 8l-6 16-5-5z" fill="#fff"/><path d="M6 26h20" stroke="#9cc5ff" stroke-width="2.5" stroke-linecap="round"/></svg>'

export const favicon = logo

const faviconUrl = `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`
const styleHash = createHash('sha256').update(style).digest('base64')

const common = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** The service's own pages have one inline style and load nothing. */
export const pageHeaders = {
  ...common,
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}

/** The API reference loads scripts and styles from this origin and calls its API. */
export const referenceHeaders = {
  ...common,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

export const headOf = (title: string): Html => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${faviconUrl}">`

/** A complete document around the content. */
export const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
${headOf(title)}
<style>${{ html: style }}</style>
</head>
<body>
<header><nav>
<a class="brand" href="/">${{ html: logo }}Flightdeck</a>
<a href="/docs">API reference</a>
<a href="/problems">Problems</a>
<a href="/api/v1/openapi.json">OpenAPI</a>
</nav></header>
<main>
${content}
</main>
</body>
</html>
`.html
