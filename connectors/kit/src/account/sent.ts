import type { Held } from '../lease/lease.ts'
import type { Account, Known, ReportInput } from './account.ts'

/** Reports to the service what became of work, and keeps what it knows now. */

export type Sent = {
  deployment_id: string
  state: string | null
}

const mostReports = 100

export async function sendReports(
  account: Account,
  held: Held,
  reports: ReportInput[],
): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let at = 0; at < reports.length; at += mostReports) {
    const some = reports.slice(at, at + mostReports)
    const { results } = await account.flightdeck.connector.reportWork({
      ...held.named(),
      profile_id: account.profile.id,
      reports: some,
    })
    for (const result of results) {
      const { deployment_id, state = null, problem } = result
      const outcome = some[result.index]?.outcome ?? 'unknown'
      account.metrics.count('reports_total', { outcome })
      if (problem)
        account.log.warn('a report was refused', { deployment_id, problem: problem.detail })
      else account.log.info('reported', { deployment_id, outcome, state })
      sent.push({ deployment_id, state })
    }
    for (const report of some) remember(account, report)
  }
  return sent
}

function remember({ known }: Account, { network_object_id, observed }: ReportInput): void {
  const about = network_object_id ? known.get(network_object_id) : undefined
  if (about && observed) about.sent = textOf(observed)
}

/** The text by which what was sent is compared with what is seen. */
export const textOf = (observed: object): string =>
  JSON.stringify(Object.entries(observed).toSorted(([a], [b]) => (a < b ? -1 : 1)))

type Named = Omit<Known, 'sent'>

/** Binds a campaign of the network to its deployment, for this process. */
export function bind({ known }: Account, id: string, named: Named): void {
  const { sent = null } = known.get(id) ?? {}
  known.set(id, { ...named, sent })
}
