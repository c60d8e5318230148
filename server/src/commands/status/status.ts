import { readConfig } from '../../config/config.ts'
import { environment } from '../../config/environment.ts'
import { openDatabase } from '../../database/database.ts'
import { buildOf } from '../../version.ts'
import { action } from '../command.ts'
import { onDatabase } from '../on-database.ts'
import { facts, table } from '../table.ts'
import { readStatus, type ServiceStatus } from './read.ts'

export const status = action({
  run: () =>
    onDatabase(readConfig(environment()), { name: 'status' }, async (address) => {
      const database = openDatabase(address)
      try {
        return await readStatus(database.reader)
      } finally {
        await database.close()
      }
    }),
  show: (status) => [processesIn(status), worksIn(status), othersIn(status)].join('\n\n'),
})

const processesIn = ({ processes }: ServiceStatus) =>
  processes.length === 0
    ? 'No process is running.'
    : table(
        ['ROLE', 'HOST', 'PID', 'BUILD', 'STARTED', 'URL'],
        processes.map((each) => [
          each.role,
          each.host,
          String(each.pid),
          buildOf(each),
          each.started_at,
          each.url,
        ]),
      )

const worksIn = ({ work }: ServiceStatus) =>
  table(
    ['WORK', 'LATE', 'LAST DONE'],
    work.map(({ work, late_seconds, last_success_at }) => [
      work,
      late_seconds === 0 ? 'no' : `${late_seconds} s`,
      last_success_at,
    ]),
  )

const othersIn = ({ schema, queue, backup, audit_chains_broken }: ServiceStatus) =>
  facts({
    Schema: schema.unknown.length > 0 ? `${schema.latest}, newer than this program` : schema.latest,
    Deliveries: `${queue.deliveries_pending} pending, the oldest due for ${queue.oldest_delivery_seconds} s`,
    Jobs: `${queue.jobs_pending} pending`,
    'Last backup': backup.created_at ?? 'never',
    'Last verified': backup.last_verification_at
      ? `${backup.last_verification_at}, of the backup of ${backup.newest_verified_created_at}`
      : 'never',
    'Audit chains': audit_chains_broken === 0 ? 'whole' : `${audit_chains_broken} BROKEN`,
  })
