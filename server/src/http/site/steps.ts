/** Steps of logins that go through a browser, which a provider sends back here. */

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../kernel/context.ts'
import { Problem } from '../../problems/problem.ts'
import type { LoginStep, StepReply } from '../feature.ts'
import { apiPrefix } from '../pipeline.ts'
import { bareContext } from '../request/contexts.ts'
import { readQuery, searchOf } from '../request/query.ts'
import {
  attemptCookie,
  attemptIn,
  isAtPublicUrl,
  sessionCookie,
} from '../request/session-cookie.ts'
import type { KnownPath } from '../server/methods.ts'

const maxFormBytes = 16 * 1024

export const pathsOfSteps = (steps: readonly LoginStep[]): KnownPath[] =>
  steps.map(({ path, method }) => ({ path: `${apiPrefix}${path}`, methods: [method] }))

/** Adds steps without a deadline: they wait for a provider, whose answers are bounded by themselves. */
export function addSteps(
  app: FastifyInstance,
  services: Services,
  steps: readonly LoginStep[],
): void {
  const { publicUrl } = services.config
  for (const step of steps) {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const received = { request, publicUrl }
      const answer = await answerOf(step, services, request)
      const { status, headers, html, token, attempt } = answer
      const cookies = [
        ...(attempt === undefined ? [] : [attemptCookie(received, attempt)]),
        ...(token === undefined ? [] : [sessionCookie(received, token)]),
      ]
      if (cookies.length > 0) reply.header('set-cookie', cookies)
      return reply
        .code(status)
        .headers({ 'cache-control': 'no-store', ...headers })
        .send(html)
    }
    const { method, path } = step
    app.route({ method, url: `${apiPrefix}${path}`, bodyLimit: maxFormBytes, handler })
  }
}

async function answerOf(
  { query, take, refused }: LoginStep,
  services: Services,
  request: FastifyRequest,
): Promise<StepReply> {
  const { publicUrl } = services.config
  const received = { request, publicUrl }
  try {
    if (query) readQuery(searchOf(request.url), query)
    return await take({
      ctx: bareContext(services, request, {}),
      url: new URL(request.url, publicUrl),
      form: formIn(request),
      isAtPublicUrl: isAtPublicUrl(received),
      isFromElsewhere: ['cross-site', 'same-site'].includes(
        String(request.headers['sec-fetch-site']),
      ),
      attempt: attemptIn(received),
    })
  } catch (error) {
    if (refused && error instanceof Problem) return refused(error)
    throw error
  }
}

function formIn({ body, headers }: FastifyRequest): URLSearchParams {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  if (!isForm || !Buffer.isBuffer(body) || !isUtf8(body)) return new URLSearchParams()
  return new URLSearchParams(body.toString('utf8'))
}
