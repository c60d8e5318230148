import { environment, readConfig } from '../config.ts'
import { joinDatabase } from '../database/attach.ts'
import { migrate as applyMigrations } from '../database/migrate.ts'
import { command } from './command.ts'

export const migrate = command({
  usage: 'migrate',
  summary: 'Bring the database’s schema up to date (serve does so by itself)',
  async run() {
    const { address, stop } = await joinDatabase(readConfig(environment()), 'flightdeck migrate')
    try {
      return { applied: await applyMigrations(address) }
    } finally {
      await stop()
    }
  },
  show: ({ applied }) =>
    applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`,
})
