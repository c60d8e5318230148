/** Pages of features outside the API, for people without an account. */

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../kernel/context.ts'
import type { PublicPage } from '../feature.ts'
import type { Params } from '../request/path-ids.ts'
import type { KnownPath } from '../server/methods.ts'
import { inTime } from '../server/traffic.ts'

const maxFormBytes = 4 * 1024
const maxPasswordLength = 128

export const pathsOfPages = (pages: readonly PublicPage[]): KnownPath[] =>
  pages.map(({ path }) => ({ path, methods: ['GET', 'POST'] }))

type PageRequest = FastifyRequest<{ Params: Params }>

export function addPages(
  app: FastifyInstance,
  services: Services,
  pages: readonly PublicPage[],
): void {
  for (const { path, open } of pages) {
    const answer = open(services)
    const handler = (request: PageRequest, reply: FastifyReply) =>
      inTime(request, services, async () => {
        const { status, headers, html } = await answer({
          token: request.params.token ?? '',
          address: request.ip,
          password: passwordIn(request),
          isRead: request.method !== 'HEAD',
        })
        return reply.code(status).headers(headers).send(html)
      })
    app.get<{ Params: Params }>(path, handler)
    app.post<{ Params: Params }>(path, { bodyLimit: maxFormBytes }, handler)
  }
}

/** The field `password` of a form; null without one. */
function passwordIn({ body, headers }: FastifyRequest): string | null {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  if (!isForm || !Buffer.isBuffer(body) || !isUtf8(body)) return null
  const password = new URLSearchParams(body.toString('utf8')).get('password')
  return password === null || password === '' ? null : password.slice(0, maxPasswordLength)
}
