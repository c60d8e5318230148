import type { Verification } from '../features/audit-logs/schema.ts'
import { verifyAuditLogs } from '../features/audit-logs/verify.ts'
import { verifyExport } from '../features/audit-logs/verify-export.ts'
import { actIn, administer, allOrganizations } from './administer.ts'
import { CommandError, command, UsageError } from './command.ts'
import { table } from './table.ts'

type Verified = Verification & { organization_id?: string }
type All = { valid: boolean; organizations: Verified[] }

export const auditVerify = command({
  usage: 'audit verify',
  summary: 'Verify the audit log: of all organizations, of one, or an export offline',
  options: {
    org: { value: 'org', about: 'id of one organization' },
    file: { value: 'file', about: 'an NDJSON export; needs no database' },
  },
  async run({ option }): Promise<Verified | All> {
    const file = option('file')
    const org = option('org')
    if (file !== undefined && org !== undefined) throw new UsageError('Give --org or --file.')
    if (file !== undefined) return verifyExport(file).catch(unreadable)
    return administer('audit verify', async (services) => {
      const ids = org ? [org] : (await allOrganizations(services)).map(({ id }) => id)
      const organizations: Verified[] = []
      for (const id of ids) {
        const ctx = await actIn(services, id)
        organizations.push({ organization_id: id, ...(await verifyAuditLogs(ctx)) })
      }
      const [one] = organizations
      if (org && one) return one
      return { valid: organizations.every(({ valid }) => valid), organizations }
    })
  },
  show: (result) => show('organizations' in result ? result.organizations : [result]),
  exitCode: ({ valid }) => (valid ? 0 : 1),
})

function unreadable(error: NodeJS.ErrnoException): never {
  throw error.code ? new CommandError(error.message) : error
}

const show = (results: Verified[]) =>
  table(
    ['ORGANIZATION', 'RESULT', 'RECORDS', 'HEAD'],
    results.map((result) => [
      result.organization_id ?? 'the file',
      result.valid ? 'valid' : `BROKEN at ${result.first_bad_sequence}`,
      `${result.from_sequence ?? '–'} to ${result.to_sequence ?? '–'}`,
      result.head_hash ?? '–',
    ]),
  )
