import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { html } from '../../values/markup/html.ts'
import { tagOf } from './digest.ts'
import { headOf } from './page.ts'

export const scriptPath = '/docs/scalar.js'
export const startPath = '/docs/start.js'
const documentPath = '/api/v1/openapi.json'

/** The page at `/docs`: an empty frame filled by two same-origin scripts. */
export const docsPage = (): string =>
  html`<!doctype html>
<html lang="en">
<head>
${headOf('Flightdeck API reference')}
<link rel="preload" href="${documentPath}" as="fetch" crossorigin>
<script src="${scriptPath}" defer></script>
<script src="${startPath}" defer></script>
</head>
<body>
<noscript><p>The reference needs JavaScript; the document is at <a href="${documentPath}">${documentPath}</a>.</p></noscript>
<div id="app"></div>
</body>
</html>
`.html

/** Disables everything that would contact another origin. */
const configuration = {
  url: documentPath,
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

/** A login from the page gives its next requests the token. */
export const startScript = (): string => `
const configuration = ${JSON.stringify(configuration, null, 2)}
const reference = Scalar.createApiReference('#app', configuration)

const send = window.fetch
window.fetch = sendWatched

async function sendWatched(...request) {
  const response = await send(...request)
  if (response.ok && new URL(response.url).pathname === '/api/v1/auth/login') {
    response.clone().json().then(useToken, () => {})
  }
  return response
}

function useToken({ token }) {
  const securitySchemes = { bearerAuth: { token } }
  const authentication = { preferredSecurityScheme: 'bearerAuth', securitySchemes }
  reference.updateConfiguration({ ...configuration, authentication })
}
`

export type Bundle = { plain: Buffer; gzipped: Buffer; etag: string }

/** Scalar's script has several megabytes, so it is loaded on first use. */
export const scalarBundle = singleFlight(loadBundle, { keepMs: Number.POSITIVE_INFINITY })

/** The package exposes its script only as a route of a Fastify plugin. */
async function loadBundle(): Promise<Bundle> {
  const [{ default: Fastify }, { default: reference }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const shelf = Fastify()
  await shelf.register(reference, {
    routePrefix: '/docs',
    configuration: { url: configuration.url },
  })
  const { rawPayload } = await shelf.inject('/docs/js/scalar.js')
  await shelf.close()
  return { plain: rawPayload, gzipped: await promisify(gzip)(rawPayload), etag: tagOf(rawPayload) }
}
