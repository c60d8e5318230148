/** The bare loop: posts one body `count` times, some at once, and reports the rate. */
import { Pool } from 'undici'

const { origin, body, count, atOnce } = JSON.parse(process.env.BENCH_POST ?? '{}')
const pool = new Pool(origin, { connections: atOnce })
let left = count
const begun = performance.now()

async function postAll(): Promise<void> {
  while (left > 0) {
    left -= 1
    const headers = { 'content-type': 'application/json' }
    const reply = await pool.request({ path: '/hook', method: 'POST', headers, body })
    await reply.body.dump()
  }
}

await Promise.all(Array.from({ length: atOnce }, postAll))
process.send?.({ perSecond: count / ((performance.now() - begun) / 1000) })
await pool.close()
