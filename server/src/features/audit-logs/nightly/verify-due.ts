import { pause } from '../../../concurrency/wait.ts'
import type { Job, JobLogger } from '../../../jobs/job.ts'
import { actAsSystem, type Services } from '../../../kernel/context.ts'
import { verified, verifyAuditLogs } from '../verify.ts'
import { type DueChain, dueChains, storeVerified } from './due.ts'

/** Verifies each organization's chain every night, from the last checkpoint that was verified. */
export const nightlyVerification: Job = {
  name: 'audit-logs.verify',
  cron: '*/10 * * * *',
  work: { name: 'verification', dueSince: 'select min(due_at) from audit_verifications' },
  run: verifyDue,
}

/** Rests as long as each chain took, to leave half of the time to requests. */
const maxRestMs = 1_000
/** Leaves the rest to the next run: a job may take an hour. */
const maxRunMs = 40 * 60 * 1000

/** A chain that is broken or cannot be read does not stop the others; the latter is reported at the end. */
export async function verifyDue(services: Services, signal: AbortSignal, logger: JobLogger) {
  const counts = { verified: 0, broken: 0 }
  const faults: unknown[] = []
  const begunMs = performance.now()
  for await (const chain of dueChains(services)) {
    const chainMs = performance.now()
    if (signal.aborted || chainMs - begunMs > maxRunMs) break
    await verifyOne(services, { chain, signal, logger }).then(
      (isWhole) => {
        counts[isWhole ? 'verified' : 'broken'] += 1
      },
      (fault: unknown) => faults.push(fault),
    )
    await pause(Math.min(performance.now() - chainMs, maxRestMs), signal)
  }
  if (faults.length > 0) throw faults[0]
  return counts
}

type One = { chain: DueChain; signal: AbortSignal; logger: JobLogger }

/** Whether the chain is whole. Where it is broken, the next verification begins at the same place. */
async function verifyOne(services: Services, { chain, signal, logger }: One): Promise<boolean> {
  const { organization_id: organizationId, sequence } = chain
  const ctx = await actAsSystem(services, organizationId, 'Flightdeck')
  if (!ctx) return true
  const walked = await verified(verifyAuditLogs(ctx, { signal, sinceCheckpointUpTo: sequence }))
  const end = walked.to_sequence ?? 0
  const brokenAt = walked.valid ? cutAt(end, sequence) : walked.first_bad_sequence
  const upTo = brokenAt === null ? end : sequence
  await storeVerified(services, { organizationId, sequence: upTo, brokenAt })
  if (brokenAt === null) return true
  logger.error({ organization_id: organizationId, sequence: brokenAt }, 'an audit chain is broken')
  return false
}

/** A chain that was verified beyond its end was cut off, and its checkpoints with it. */
const cutAt = (end: number, verifiedTo: number): number | null =>
  end < verifiedTo ? end + 1 : null
