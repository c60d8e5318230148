import { makeCheckpoints } from '../../src/features/audit-logs/checkpointing.ts'
import type { AuditLog } from '../../src/features/audit-logs/schema.ts'
import type { TestOrganization, World } from './world.ts'

/** Helpers for tests of the audit chain, in a world that opens later. */
export function auditChainIn(worldOf: () => World) {
  const sign = () => makeCheckpoints(worldOf().services, AbortSignal.timeout(10_000))

  const rename = async ({ owner }: TestOrganization, ...names: string[]) => {
    for (const name of names) await owner.patch('/organization', { name })
  }

  /** An organization whose chain has 3 records and one for each name. */
  async function renamed(...names: string[]): Promise<TestOrganization> {
    const acme = await worldOf().organization()
    await rename(acme, ...names)
    return acme
  }

  async function signed(...names: string[]): Promise<TestOrganization> {
    const acme = await renamed(...names)
    await sign()
    return acme
  }

  const verify = async ({ owner }: TestOrganization) =>
    (await owner.get('/audit_logs/verify')).json()

  const records = async ({ owner }: TestOrganization): Promise<AuditLog[]> =>
    (await owner.get('/audit_logs?sort=sequence&limit=100')).json().data

  return { sign, rename, renamed, signed, verify, records }
}
