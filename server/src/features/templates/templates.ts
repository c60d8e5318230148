import { isDeepStrictEqual } from 'node:util'
import type { TemplateDefaults } from '../../database/tables/json-columns.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { checkCap } from '../../kernel/quotas.ts'
import {
  firstStamps,
  insert,
  nextStamps,
  oneOf,
  oneToChange,
  remove,
  update,
} from '../../kernel/rows.ts'
import { checkFaults } from '../../problems/problem.ts'
import { commonFilters, markFilters } from '../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../query/list.ts'
import { byWords } from '../../query/search/search.ts'
import { byName } from '../../query/sorting.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { patched } from '../../schema/merge-patch.ts'
import { newId } from '../../values/ids.ts'
import type { CampaignDraft } from '../campaigns/draft/normalize.ts'
import { defaultsFrom, lockFaults, normalizeDefaults } from './defaults.ts'
import { cap, templateIds } from './resource.ts'
import {
  readOnlyFields,
  type SaveAsTemplateInput,
  type Template,
  type TemplateChanges,
  type TemplateInput,
} from './schema.ts'

export const templateList: ListShape<'templates'> = {
  table: 'templates',
  filters: {
    ...byWords,
    ...markFilters,
    ...commonFilters,
  },
  sorts: ['created_at', 'updated_at', byName],
  wide: ['description', 'defaults', 'labels', 'metadata'],
}

export const listTemplates = (ctx: Context, query: Query): Promise<Page<Template>> =>
  pageOf(ctx, { list: templateList, query, present: toTemplate })

export async function getTemplate(ctx: Context, id: string): Promise<Template> {
  return toTemplate(await oneOf(ctx, 'templates', id))
}

export const createTemplate = (ctx: Context, body: TemplateInput): Promise<Template> =>
  change(ctx, 'template.created', async (ctx) => {
    const { defaults, faults } = await normalizeDefaults(ctx, body.defaults ?? {})
    const normalized = { ...normalizeTemplate(body), defaults }
    checkFaults(ctx, [...faults, ...locksOf(ctx, normalized, body.defaults)])
    await checkCap(ctx, cap)
    return { before: null, after: add(ctx, normalized) }
  })

/** Creates a template from the campaign's settings; the campaign is unchanged. */
export const saveAsTemplate = (
  ctx: Context,
  campaignId: string,
  body: SaveAsTemplateInput,
): Promise<Template> =>
  change(ctx, 'template.created', async (ctx) => {
    const defaults = defaultsFrom(await oneOf(ctx, 'campaign_details', campaignId))
    const normalized = { ...normalizeTemplate(body), defaults }
    checkFaults(ctx, locksOf(ctx, normalized, defaults))
    await checkCap(ctx, cap)
    return { before: null, after: add(ctx, normalized) }
  })

/** The columns that clients control. */
type NormalizedTemplate = Pick<
  Row<'templates'>,
  'name' | 'description' | 'locked_fields' | 'external_id' | 'labels'
> & {
  defaults: TemplateDefaults
  metadata: Record<string, string>
}

const normalizeTemplate = (
  input: Partial<TemplateInput>,
): Omit<NormalizedTemplate, 'defaults'> => ({
  name: input.name ?? '',
  description: input.description ?? null,
  locked_fields: input.locked_fields ?? [],
  external_id: input.external_id ?? null,
  labels: input.labels ?? [],
  metadata: input.metadata ?? {},
})

/**
 * Compared with the fields that were sent, so that an invalid default does not also fault its lock.
 */
function locksOf(
  ctx: Context,
  { locked_fields, defaults }: NormalizedTemplate,
  written?: CampaignDraft,
) {
  const faulty = ctx.faults
    .map(({ pointer = '' }) => pointer.split('/'))
    .filter(([, field]) => field === 'defaults')
    .map(([, , name = '']) => name)
  if (faulty.includes('')) return []
  const given = Object.entries(written ?? defaults).filter(([, value]) => value !== null)
  return lockFaults(locked_fields, [...given.map(([name]) => name), ...faulty])
}

function add(ctx: WriteContext, normalized: NormalizedTemplate): Template {
  const row = { id: newId(templateIds), ...normalized, ...firstStamps(ctx) }
  insert(ctx, 'templates', { ...row, ...jsonOf(normalized) })
  return toTemplate({ organization_id: ctx.organization.id, ...row })
}

const jsonOf = ({ defaults, metadata }: NormalizedTemplate) => ({
  defaults: JSON.stringify(defaults),
  metadata: JSON.stringify(metadata),
})

export const updateTemplate = (
  ctx: Context,
  id: string,
  changes: TemplateChanges,
): Promise<Template> =>
  change(ctx, 'template.updated', async (ctx) => {
    const row = await oneToChange(ctx, 'templates', id)
    const before = toTemplate(row)
    const { body, faults: mergeFaults } = patched(ctx, before, changes)
    const { defaults, faults } = await changedDefaults(ctx, before, body)
    const normalized = { ...normalizeTemplate({ ...before, ...body }), defaults }
    const readOnly = await readOnlyFaults(ctx, { before, body, readOnly: readOnlyFields })
    const locks = locksOf(ctx, normalized, body.defaults)
    checkFaults(ctx, [...mergeFaults, ...faults, ...locks, ...readOnly])
    if (changedFields(row, normalized).length === 0) return { before, after: before }
    const stamps = nextStamps(ctx, row)
    update(ctx, 'templates', { id, ...normalized, ...jsonOf(normalized), ...stamps })
    return { before, after: toTemplate({ ...row, ...normalized, ...stamps }) }
  })

/** Unchanged defaults are accepted even if they have become invalid since. */
async function changedDefaults(ctx: WriteContext, before: Template, body: TemplateChanges) {
  const { defaults = before.defaults } = body
  if (isDeepStrictEqual(defaults, before.defaults)) return { defaults: before.defaults, faults: [] }
  return normalizeDefaults(ctx, defaults)
}

export async function deleteTemplate(ctx: Context, id: string): Promise<void> {
  await change(ctx, 'template.deleted', async (ctx) => {
    const row = await oneToChange(ctx, 'templates', id)
    remove(ctx, 'templates', id)
    return { before: toTemplate(row), after: null }
  })
}

const toTemplate = (row: Row<'templates'>): Template => ({
  id: row.id,
  name: row.name,
  description: row.description,
  defaults: row.defaults,
  locked_fields: row.locked_fields,
  external_id: row.external_id,
  labels: row.labels,
  metadata: row.metadata,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
  created_by: row.created_by,
  updated_by: row.updated_by,
})
