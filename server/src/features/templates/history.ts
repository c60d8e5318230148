import { differencesAt, type Revertible, readAsOf } from '../../history/as-of.ts'
import type { Context } from '../../kernel/context.ts'
import { keysOf } from '../../values/objects.ts'
import { type Template, TemplateChanges } from './schema.ts'
import { getTemplate, updateTemplate } from './templates.ts'

export const templateHistory: Revertible<Template> = {
  type: 'template',
  table: 'templates',
  fields: keysOf(TemplateChanges.properties),
  get: getTemplate,
  update: updateTemplate,
}

export async function templateAt(
  ctx: Context,
  id: string,
  asOf: string | undefined,
): Promise<Template> {
  const time = readAsOf(ctx, asOf)
  const present = await getTemplate(ctx, id)
  if (time === null) return present
  return { ...present, ...(await differencesAt<Template>(ctx, templateHistory, { present, time })) }
}
