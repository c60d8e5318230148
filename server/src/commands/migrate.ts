import { readConfig } from '../config/config.ts'
import { environment } from '../config/environment.ts'
import { migrate as applyMigrations } from '../database/migrate.ts'
import { action } from './command.ts'
import { onDatabase } from './on-database.ts'

export const migrate = action({
  run: () =>
    onDatabase(
      readConfig(environment()),
      { name: 'migrate', mayCreate: true },
      async (address) => ({
        applied: await applyMigrations(address),
      }),
    ),
  show: ({ applied }) =>
    applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`,
})
