import {
  InvalidCheckpoints,
  readSavedCheckpoints,
  unreadable,
} from '../../features/audit-logs/kept-checkpoints.ts'
import type { Verification } from '../../features/audit-logs/schema.ts'
import { verified, verifyAuditLogs } from '../../features/audit-logs/verify.ts'
import { verifyExport } from '../../features/audit-logs/verify-export.ts'
import { actIn, administer } from '../administer.ts'
import { allOrganizations } from '../all-organizations.ts'
import { action, CommandError, type Given, UsageError } from '../command.ts'
import { table } from '../table.ts'

type Verified = Verification & { organization_id?: string }
type All = { valid: boolean; organizations: Verified[] }

export const auditVerify = action({
  async run(given): Promise<Verified | All> {
    const offline = offlineFiles(given)
    if (offline) return verifyFiles(offline).catch(rethrow)
    return verifyOrganizations(given.option('org'))
  },
  show: (result) => show('organizations' in result ? result.organizations : [result]),
  exitCode: ({ valid }) => (valid ? 0 : 1),
})

/** The command has no time limit: Ctrl-C ends the process. */
const neverAborted = new AbortController().signal

type Files = {
  file: string
  isFiltered: boolean
  checkpoints: string | undefined
  jwks: string | undefined
}

function offlineFiles({ option, flag }: Given): Files | undefined {
  const [file, checkpoints, jwks] = [option('file'), option('checkpoints'), option('jwks')]
  const isFiltered = flag('filtered')
  if ((checkpoints === undefined) !== (jwks === undefined)) {
    throw new UsageError('Give --checkpoints and --jwks together.')
  }
  if (file === undefined) {
    if (checkpoints !== undefined) throw new UsageError('Give --file with --checkpoints.')
    if (isFiltered) throw new UsageError('Give --file with --filtered.')
    return undefined
  }
  if (option('org') !== undefined) throw new UsageError('Give --org or --file.')
  return { file, isFiltered, checkpoints, jwks }
}

async function verifyFiles({ file, isFiltered, checkpoints, jwks }: Files): Promise<Verified> {
  const isCompared = checkpoints !== undefined && jwks !== undefined
  const marks = isCompared ? await readSavedCheckpoints({ checkpoints, jwks }) : undefined
  return verifyExport(file, { isFiltered, ...(marks && { marks }) }).catch(unreadable(file))
}

function rethrow(error: Error): never {
  throw error instanceof InvalidCheckpoints ? new CommandError(error.message) : error
}

const verifyOrganizations = (org: string | undefined): Promise<Verified | All> =>
  administer('audit verify', async (services) => {
    const ids = org ? [org] : (await allOrganizations(services.database)).map(({ id }) => id)
    const organizations: Verified[] = []
    for (const id of ids) {
      const ctx = await actIn(services, id)
      const steps = verifyAuditLogs(ctx, { signal: neverAborted })
      organizations.push({ organization_id: id, ...(await verified(steps)) })
    }
    const [one] = organizations
    if (org && one) return one
    return { valid: organizations.every(({ valid }) => valid), organizations }
  })

const show = (results: Verified[]) =>
  table(
    ['ORGANIZATION', 'RESULT', 'RECORDS', 'CHECKPOINTS', 'HEAD'],
    results.map((result) => [
      result.organization_id ?? 'the file',
      result.valid ? 'valid' : `BROKEN at ${result.first_bad_sequence}`,
      `${result.from_sequence ?? '–'} to ${result.to_sequence ?? '–'}`,
      shownCheckpoints(result.checkpoints),
      result.head_hash ?? '–',
    ]),
  )

const shownCheckpoints = ({ count, last_sequence }: Verification['checkpoints']) =>
  last_sequence === null ? '–' : `${count}, up to ${last_sequence}`
