import { text } from 'node:stream/consumers'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Reply } from './world.ts'

/** Makes the app's `inject` answer the start of a live reply, then disconnect. */
export function hangUpOnStreams(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (options: InjectOptions) => Promise<Reply>
  const glance = async (options: InjectOptions): Promise<Reply> => {
    const isLive = /\/events\/stream(\?|$)/.test(String(options.url))
    return isLive
      ? beginningOf(await inject({ ...options, payloadAsStream: true }))
      : inject(options)
  }
  Object.assign(app, { inject: glance })
}

async function beginningOf(reply: Reply): Promise<Reply> {
  const isLive = reply.statusCode === 200 && reply.raw.res.req.method !== 'HEAD'
  const body = isLive ? await firstChunk(reply) : await text(reply.stream())
  return Object.assign(reply, { body, payload: body, json: () => JSON.parse(body) })
}

async function firstChunk(reply: Reply): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  reply.stream().once('data', (chunk) => resolve(String(chunk)))
  const chunk = await promise
  reply.raw.res.destroy()
  return chunk
}
