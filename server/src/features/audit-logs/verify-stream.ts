import type { Streamed } from '../../http/endpoint.ts'
import type { Context } from '../../kernel/context.ts'
import type { Query } from '../../query/list.ts'
import type { Verification } from './schema.ts'
import { verifyAuditLogs } from './verify.ts'
import { beginWalk } from './walks.ts'

/** Records between two blanks: a second of work, or less. */
const recordsABlank = 10_000

/**
 * A verification as JSON, with a blank in front for every so many records: nobody on the way takes the
 * connection for dead. The first of them sends the status too, so what fails later cuts the answer off.
 */
export function streamVerification(ctx: Context, { since_checkpoint }: Query): Streamed {
  const { signal, end } = beginWalk(ctx, 'verification')
  const sinceCheckpoint = since_checkpoint === 'true'
  const steps = verifyAuditLogs(ctx, { signal, sinceCheckpoint })
  return { contentType: 'application/json; charset=utf-8', chunks: chunksOf(steps), close: end }
}

async function* chunksOf(steps: AsyncGenerator<number, Verification>): AsyncGenerator<string> {
  let untold = 0
  for (;;) {
    const step = await steps.next()
    if (step.done) return yield JSON.stringify(step.value)
    untold += step.value
    if (untold < recordsABlank) continue
    untold = 0
    yield ' '
  }
}
