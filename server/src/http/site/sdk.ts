import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../problems/problem.ts'
import { version } from '../../version.ts'
import { matchesTag } from '../request/headers.ts'
import type { Answer } from './answer.ts'
import { tagOf } from './digest.ts'

/** The client as `npm ci` packs it, with the version of the service. */
const packed = join(import.meta.dirname, '../../../sdk', `flightdeckhq-sdk-${version}.tgz`)

const newest = 'flightdeckhq-sdk.tgz'
const versioned = `flightdeckhq-sdk-${version}.tgz`

export const sdkPath = `/sdk/${newest}`

const notPacked =
  'This installation has no package of the SDK, because it was installed without development packages: run npm ci in a clone.'

type File = { content: Buffer; etag: string }

const fileOf = (content: Buffer): File => ({ content, etag: tagOf(content) })

/** The client as a package for npm: `npm install <service>/sdk/flightdeckhq-sdk.tgz`. */
export function sdkFrom(path: string = packed): Answer {
  let known: File | null = null
  // Packed while the service runs, it is found.
  const read = async () => {
    known ??= await readFile(path).then(fileOf, () => null)
    return known
  }
  return async (request, reply) => {
    const { name } = request.params
    if (name !== newest && name !== versioned) {
      throw new Problem('not_found', `The service has the SDK of its own version: ${versioned}.`)
    }
    const file = await read()
    if (!file) throw new Problem('not_found', notPacked)
    reply.headers({ etag: file.etag, 'cache-control': 'public, no-cache' })
    if (matchesTag(request.headers['if-none-match'] ?? '', file.etag)) return reply.code(304).send()
    return reply.type('application/gzip').send(file.content)
  }
}
