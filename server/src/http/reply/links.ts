import type { FastifyReply, FastifyRequest } from 'fastify'

/** Adds `Link: <…>; rel="next"` (RFC 8288) if there is a next page. */
export function linkNext(
  request: FastifyRequest,
  reply: FastifyReply,
  cursor: string | null | undefined,
): void {
  if (!cursor) return
  const [path = '', search = ''] = request.url.split('?', 2)
  const parameters = new URLSearchParams(search)
  parameters.set('cursor', cursor)
  reply.header('link', `<${path}?${parameters}>; rel="next"`)
}
