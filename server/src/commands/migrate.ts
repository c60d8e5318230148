import { environment, readConfig } from '../config/config.ts'
import { migrate as applyMigrations } from '../database/migrate.ts'
import { onDatabase } from './administer.ts'
import { command } from './command.ts'

export const migrate = command({
  usage: 'migrate',
  summary: 'Bring the database schema up to date (serve does this automatically)',
  run: () =>
    onDatabase(readConfig(environment()), 'migrate', async (address) => ({
      applied: await applyMigrations(address),
    })),
  show: ({ applied }) =>
    applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`,
})
