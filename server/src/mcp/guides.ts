import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ResourceNotFoundError } from '@modelcontextprotocol/server'

/** The pages of the manual that a model may need, in the order of its work. */
const guides: Readonly<Record<string, string>> = {
  campaigns: 'Campaigns: states, actions, flights, hours of the week',
  money: 'Money: currencies, major and minor units, how amounts are written',
  'results-and-pacing': 'Results and pacing: what was spent, and whether it is to plan',
  targets: 'Targets: what a campaign is to achieve, and what misses it',
  'change-sets': 'Change sets: proposals, what they cost, applying and setting back',
  approvals: 'Approvals: what a second person must agree to',
  guardrails: 'Guardrails: how much budgets may be',
  agents: 'Agents: what a key of a language model may do',
}

const prefix = 'flightdeck://guides/'
const mimeType = 'text/markdown'

/** The folder beside the code in a package or an image; a clone has it at its root. */
const packaged = join(import.meta.dirname, '../../docs/guides')
const folder = existsSync(packaged) ? packaged : join(import.meta.dirname, '../../../docs/guides')

export const guidesListed = () => ({
  resources: Object.entries(guides).map(([name, description]) => ({
    uri: `${prefix}${name}`,
    name,
    description,
    mimeType,
  })),
})

export async function guideAt(uri: string) {
  const name = uri.startsWith(prefix) ? uri.slice(prefix.length) : ''
  if (!Object.hasOwn(guides, name)) throw new ResourceNotFoundError(uri)
  const text = await readFile(join(folder, `${name}.md`), 'utf8')
  return { contents: [{ uri, mimeType, text }] }
}
