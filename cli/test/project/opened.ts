import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { TestOrganization, World } from '../../../server/test/support/world.ts'
import { type Ended, run } from './in-process.ts'

type Member = TestOrganization['owner']

export type Opened = {
  organization: TestOrganization
  folder: string
  /** Writes the project file, and runs a command on it. */
  with(text: string, ...words: readonly string[]): Promise<Ended>
  /** Runs a command on the files that are there. */
  run(...words: readonly string[]): Promise<Ended>
  /** As another member. */
  as(member: Member): void
  /** All objects of a kind, by external id. */
  all(section: string): Promise<Record<string, Record<string, unknown>>>
}

/** An organization, a folder for project files, and the command line of its owner. */
export async function opened(world: World, url: string): Promise<Opened> {
  const organization = await world.organization()
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-project-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('FLIGHTDECK_CONFIG_DIR', folder)
  vi.stubEnv('FLIGHTDECK_URL', url)
  const as = ({ token }: Member) => void vi.stubEnv('FLIGHTDECK_TOKEN', token ?? '')
  as(organization.owner)
  const runHere = (...words: readonly string[]) => {
    const [command = '', ...others] = words
    return run(command, folder, ...others)
  }
  return {
    organization,
    folder,
    as,
    run: runHere,
    async with(text, ...words) {
      await writeFile(join(folder, 'flightdeck.yaml'), text)
      return await runHere(...words)
    },
    async all(section) {
      const archived = /campaigns|clients/.test(section) ? '&include_archived=true' : ''
      const reply = await organization.owner.get(`/${section}?limit=100${archived}`)
      const rows: { external_id: string; id: string }[] = reply.json().data
      return Object.fromEntries(rows.map((row) => [row.external_id ?? row.id, row]))
    },
  }
}
