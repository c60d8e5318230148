import type { FastifyRequest } from 'fastify'

/** Without the query, which may contain search terms. */
export const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url
