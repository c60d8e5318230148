import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { tagOf } from './digest.ts'
import { html } from './html.ts'
import { headOf } from './page.ts'

export const scriptPath = '/docs/scalar.js'
export const startPath = '/docs/start.js'

/** The page at `/docs`: an empty frame filled by two same-origin scripts. */
export const docsPage = (): string =>
  html`<!doctype html>
<html lang="en">
<head>
${headOf('Flightdeck API reference')}
</head>
<body>
<noscript><p>The reference needs JavaScript; the document is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></noscript>
<div id="app"></div>
<script src="${scriptPath}"></script>
<script src="${startPath}"></script>
</body>
</html>
`.html

/** Disables everything that would contact another origin. */
const configuration = {
  url: '/api/v1/openapi.json',
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

export const startScript = (): string =>
  `Scalar.createApiReference('#app', ${JSON.stringify(configuration, null, 2)})\n`

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
