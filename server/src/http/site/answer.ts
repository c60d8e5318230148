import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Params } from '../request/path-ids.ts'

export type SiteRequest = FastifyRequest<{ Params: Params }>

/** Answers a path outside the API. */
export type Answer = (request: SiteRequest, reply: FastifyReply) => unknown
