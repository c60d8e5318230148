import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { extname, join } from 'node:path'
import Negotiator from 'negotiator'
import { LruMap } from 'toad-cache'
import { notFound } from '../../problems/problem.ts'
import { html } from '../../values/markup/html.ts'
import { addVary } from '../reply/vary.ts'
import { matchesTag } from '../request/headers.ts'
import type { Answer } from './answer.ts'
import { tagOf } from './digest.ts'
import { page, pageHeaders } from './page.ts'

/** The directory of `npm run build:console`. */
const builtDirectory = join(import.meta.dirname, '../../../console')

export const consolePath = '/console'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
]

const headers = { ...pageHeaders, 'content-security-policy': policy.join('; ') }

type File = { content: Buffer; etag: string }
type ReadFile = (path: string) => Promise<File | null>

export type Console = {
  /**
   * One page for all screens: their addresses are read in the browser. It names the origin that
   * passkeys are bound to, if there is one.
   */
  page: (passkeysAt: string | null) => Answer
  asset: Answer
  isBuilt: () => Promise<boolean>
}

export function consoleIn(directory: string = builtDirectory): Console {
  const read = reading(directory)
  return {
    page: (passkeysAt) => pageOf(read, passkeysAt ?? ''),
    asset: assetOf(read),
    isBuilt: async () => (await read('index.html')) !== null,
  }
}

/** Built files never change while the service runs; there are about a hundred. */
function reading(directory: string): ReadFile {
  const files = new LruMap<File>(400)
  return async (path) => {
    const known = files.get(path)
    if (known) return known
    const content = await readFile(join(directory, path)).catch(() => null)
    // A build that comes later is found.
    if (!content) return null
    const file = { content, etag: tagOf(content) }
    files.set(path, file)
    return file
  }
}

/** Browsers say what they are at. Others (old ones, monitors) get the page if they take it. */
function isNavigation({ 'sec-fetch-mode': mode, accept = '*/*' }: IncomingHttpHeaders): boolean {
  if (mode !== undefined) return mode === 'navigate'
  return new Negotiator({ headers: { accept } }).mediaTypes(['text/html']).length > 0
}

const pageOf =
  (read: ReadFile, passkeysAt: string): Answer =>
  async (request, reply) => {
    if (!isNavigation(request.headers)) throw notFound()
    const file = await read('index.html')
    addVary(reply, 'Cookie')
      .headers(headers)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
    if (!file) return reply.headers(pageHeaders).code(503).send(notBuilt)
    const named = file.content
      .toString()
      .replace(metaOf('passkeys', ''), metaOf('passkeys', passkeysAt))
    const content = pageFor(request.headers.cookie, named)
    const etag = tagOf(content)
    reply.header('etag', etag)
    if (matchesTag(request.headers['if-none-match'] ?? '', etag)) return reply.code(304).send()
    return reply.send(content)
  }

/** Spares those who are not logged in a question that would only be refused. */
const pageFor = (cookie: string | undefined, page: string): string =>
  cookie?.includes('flightdeck=')
    ? page
    : page.replace(metaOf('session', 'unknown'), metaOf('session', 'none'))

const metaOf = (name: string, content: string) =>
  `<meta name="flightdeck-${name}" content="${content}"`

const notBuilt = page(
  'The console is not built',
  html`<h1>The console is not built</h1>
<p>This installation has no console, because it was installed without development packages.
Run <code>npm ci</code> in the project, or use the image or the published package, which have it.
The API works without it: see the <a href="/docs">API reference</a>.</p>`,
)

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const endings = { br: '.br', gzip: '.gz' } as const

/** Serves a file that browsers keep, as its name contains its digest. */
const assetOf =
  (read: ReadFile): Answer =>
  async (request, reply) => {
    const { name = '' } = request.params
    const type = types[extname(name)]
    if (!type || !/^[\w-][\w.-]{0,200}$/.test(name)) throw notFound()
    const encoding = encodingFor(request.headers['accept-encoding'])
    const encoded =
      encoding === 'identity' ? null : await read(`assets/${name}${endings[encoding]}`)
    const file = encoded ?? (await read(`assets/${name}`))
    if (!file) throw notFound()
    addVary(reply, 'Accept-Encoding')
      .type(type)
      .headers({ etag: file.etag, 'cache-control': 'public, max-age=31536000, immutable' })
    if (matchesTag(request.headers['if-none-match'] ?? '', file.etag)) return reply.code(304).send()
    if (encoded) reply.header('content-encoding', encoding)
    return reply.send(file.content)
  }

function encodingFor(accepted: string | undefined): keyof typeof endings | 'identity' {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted ?? 'identity' } })
  const [best] = negotiator.encodings(['br', 'gzip', 'identity'])
  return best === 'br' || best === 'gzip' ? best : 'identity'
}
