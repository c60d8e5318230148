import type { Streamed } from '../../http/endpoint.ts'
import type { Context } from '../../kernel/context.ts'
import { outOfScope } from '../../problems/problem.ts'
import type { Query } from '../../query/list.ts'
import { beginLongRead } from '../../query/long-reads.ts'
import type { Verification } from './schema.ts'
import { verifyAuditLogs } from './verify.ts'

/** Records per whitespace byte: at most about a second of work. */
const recordsABlank = 10_000

/**
 * Streams a verification as JSON, preceded by whitespace that keeps the connection alive. The first
 * whitespace commits the status, so a later failure cuts the response off.
 */
export function streamVerification(ctx: Context, { since_checkpoint }: Query): Streamed {
  // A part of a chain proves nothing.
  if (ctx.scope) throw outOfScope('The audit log is verified as a whole.')
  const { signal, end } = beginLongRead(ctx, 'verification')
  const sinceCheckpointUpTo = since_checkpoint === 'true' ? Number.MAX_SAFE_INTEGER : undefined
  const steps = verifyAuditLogs(ctx, { signal, sinceCheckpointUpTo })
  return { contentType: 'application/json; charset=utf-8', chunks: chunksOf(steps), close: end }
}

async function* chunksOf(steps: AsyncGenerator<number, Verification>): AsyncGenerator<string> {
  let unreported = 0
  for (;;) {
    const step = await steps.next()
    if (step.done) return yield JSON.stringify(step.value)
    unreported += step.value
    if (unreported < recordsABlank) continue
    unreported = 0
    yield ' '
  }
}
