import type { Field } from './fields.ts'

/** The fields of a campaign by which a file's rows are matched. */
export type CampaignFacts = {
  readonly id: string
  readonly name: string
  readonly external_id: string | null
  readonly currency: string
}

/** The cells of a row that name its campaign; empty where they name none. */
export type CampaignCells = Readonly<
  Record<'campaign_id' | 'external_id' | 'campaign_name', string>
>

export type Found =
  | { readonly campaign: CampaignFacts }
  | { readonly field: Field; readonly message: string }

const ownId = /cmp_[0-7][0-9a-hjkmnp-tv-z]{25}(?![0-9a-z])/

/** The id of a campaign here, also inside another text, as names in a network may carry it. */
export const ownIdIn = (text: string): string | undefined => ownId.exec(text.slice(0, 500))?.[0]

const folded = (name: string): string =>
  name.slice(0, 500).normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Finds the campaign of a row: by an id of ours wherever it stands, by its external id, by its name. */
export function finderOf(campaigns: readonly CampaignFacts[]): (cells: CampaignCells) => Found {
  const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]))
  const withExternal = campaigns.filter(({ external_id }) => external_id !== null)
  const byExternalId = new Map(withExternal.map((campaign) => [campaign.external_id, campaign]))
  const byName = Map.groupBy(campaigns, ({ name }) => folded(name))
  const near = nearestAmong(campaigns)
  const known = new Map<string, Found>()
  const find = (cells: CampaignCells): Found =>
    foundById(cells, byId) ?? foundByExternalId(cells, byExternalId) ?? byNameIn(cells)
  const byNameIn = ({ campaign_id, external_id, campaign_name }: CampaignCells): Found => {
    const given = campaign_id || external_id
    if (campaign_name === '')
      return unknownId(campaign_id === '' ? 'external_id' : 'campaign_id', given)
    return foundByName(campaign_name, byName.get(folded(campaign_name)) ?? [], near)
  }
  return (cells) => {
    const key = JSON.stringify(cells)
    const found = known.get(key) ?? find(cells)
    known.set(key, found)
    return found
  }
}

const unknownId = (field: Field, given: string): Found => ({
  field,
  message: given === '' ? 'is empty' : 'is the id of no campaign, here or external',
})

type ById = ReadonlyMap<string, CampaignFacts>

function foundById(cells: CampaignCells, byId: ById): Found | undefined {
  const places = ['campaign_id', 'external_id', 'campaign_name'] as const
  for (const field of places) {
    const id = ownIdIn(cells[field])
    if (id === undefined) continue
    const campaign = byId.get(id)
    if (!campaign) return { field, message: `names ${id}, which is no campaign here` }
    const { external_id } = cells
    const isOther = field === 'campaign_id' && external_id !== '' && !ownIdIn(external_id)
    if (isOther && external_id !== campaign.external_id) {
      return { field: 'external_id', message: `is not that of ${campaign.name}` }
    }
    return { campaign }
  }
  return undefined
}

function foundByExternalId(
  { campaign_id, external_id }: CampaignCells,
  byExternalId: ReadonlyMap<string | null, CampaignFacts>,
): Found | undefined {
  const campaign = byExternalId.get(external_id || null) ?? byExternalId.get(campaign_id || null)
  return campaign && { campaign }
}

const mostCandidates = 3

function foundByName(
  name: string,
  same: readonly CampaignFacts[],
  nearest: (name: string) => readonly string[],
): Found {
  const exact = same.filter((campaign) => campaign.name === name.trim())
  const [campaign, ...more] = exact.length > 0 ? exact : same
  if (campaign && more.length === 0) return { campaign }
  const field = 'campaign_name'
  if (campaign) {
    const ids = [campaign, ...more].slice(0, mostCandidates).map(({ id }) => id)
    const rest = more.length + 1 - ids.length
    const list = `${ids.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
    return {
      field,
      message: `is the name of ${more.length + 1} campaigns (${list}): put an id there`,
    }
  }
  const near = nearest(name).map((each) => `“${each}”`)
  const hint = near.length > 0 ? `; there is ${near.join(', ')}` : ''
  return { field, message: `is the name of no campaign${hint}` }
}

const wordsOf = (name: string) =>
  new Set(
    folded(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  )

/** Each search goes through all campaigns: a file of foreign names has no more of them. */
const mostSearches = 20

/** Finds names with at least half of their words in common, for the first names of a file. */
function nearestAmong(campaigns: readonly CampaignFacts[]): (name: string) => readonly string[] {
  let searches = 0
  let known: readonly { name: string; own: ReadonlySet<string> }[] | undefined
  return (name) => {
    searches += 1
    if (searches > mostSearches) return []
    known ??= campaigns.map((campaign) => ({ name: campaign.name, own: wordsOf(campaign.name) }))
    const words = wordsOf(name)
    const judged = known.map((campaign) => {
      const shared = [...words].filter((word) => campaign.own.has(word)).length
      const likeness = (2 * shared) / Math.max(1, words.size + campaign.own.size)
      return { name: campaign.name, likeness }
    })
    const near = judged.filter(({ likeness }) => likeness >= 0.5)
    near.sort((one, other) => other.likeness - one.likeness)
    return [...new Set(near.map((each) => each.name))].slice(0, mostCandidates)
  }
}
