import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { compressReplies } from './compress.ts'

test('a document that is the same for everybody is compressed once, others each time', async () => {
  let count = 0
  const app = Fastify()
  compressReplies(app, {
    gzip: (text, done) => {
      count += 1
      done(null, Buffer.from(text))
    },
  })
  const text = 'x'.repeat(2_000)
  const headers = { etag: '"1"', 'cache-control': 'private, no-cache' }
  app.get('/shared', (_, reply) =>
    reply.headers({ ...headers, 'cache-control': 'no-cache' }).send(text),
  )
  app.get('/own', (_, reply) => reply.headers(headers).send(text))
  const ask = (url: string) => app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
  const replies = [await ask('/shared'), await ask('/shared'), await ask('/shared')]
  expect(count).toBe(1)
  for (const reply of replies) expect(reply.body).toBe(text)
  await ask('/own')
  await ask('/own')
  expect(count).toBe(3)
})
