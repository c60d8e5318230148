import { readConfig } from '../config/config.ts'
import { environment } from '../config/environment.ts'
import { migrate as applyMigrations, unknownText } from '../database/upkeep/migrate.ts'
import { action } from './command.ts'
import { onDatabase } from './on-database.ts'

type Migrated = { applied: string[] /** From newer code. */; unknown: string[] }

export const migrate = action({
  run: () =>
    onDatabase(
      readConfig(environment()),
      { name: 'migrate', mayCreate: true },
      async (address): Promise<Migrated> => {
        let unknown: string[] = []
        const onUnknown = (names: string[]) => {
          unknown = names
        }
        return { applied: await applyMigrations(address, undefined, { onUnknown }), unknown }
      },
    ),
  show: ({ applied, unknown }) =>
    [
      ...(applied.length > 0 ? [`Applied: ${applied.join(', ')}`] : []),
      ...(unknown.length > 0 ? [`${unknownText(unknown)}.`] : []),
      ...(applied.length + unknown.length === 0 ? ['The schema is up to date.'] : []),
    ].join('\n'),
})
