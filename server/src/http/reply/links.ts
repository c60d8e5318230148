import type { FastifyReply, FastifyRequest } from 'fastify'

type MaybePage = { meta?: { next_cursor?: string | null } }

/** Adds `Link: <…>; rel="next"` (RFC 8288) if there is a next page. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, result: unknown): void {
  const cursor = (result as MaybePage).meta?.next_cursor
  if (!cursor) return
  const [path = '', search = ''] = request.url.split('?', 2)
  const parameters = new URLSearchParams(search)
  parameters.set('cursor', cursor)
  reply.header('link', `<${path}?${parameters}>; rel="next"`)
}
