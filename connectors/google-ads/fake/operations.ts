import type protobuf from 'protobufjs'
import { isObject, type Json } from './json.ts'
import { behaviorsOf, camelOf, fieldOf, isMessage, patternOf, typeOf } from './protos.ts'
import { type ErrorItem, type PathElement, refusal, refuse } from './refusal.ts'
import type { Kind } from './state.ts'

/** Operations of a mutate as the definition has them: behaviours of fields, masks, resource names. */

export type Change =
  | { act: 'create'; kind: Kind; resource: Json; path: PathElement[] }
  | { act: 'update'; kind: Kind; resource: Json; mask: string[]; path: PathElement[] }
  | { act: 'remove'; kind: Kind; name: string; path: PathElement[] }

const kindsBy: Readonly<Record<string, Kind>> = {
  campaignBudgetOperation: 'campaignBudget',
  campaignOperation: 'campaign',
  campaignCriterionOperation: 'campaignCriterion',
  labelOperation: 'label',
  campaignLabelOperation: 'campaignLabel',
}

const typesOf: Readonly<Record<Kind, string>> = {
  campaignBudget: 'CampaignBudget',
  campaign: 'Campaign',
  campaignCriterion: 'CampaignCriterion',
  label: 'Label',
  campaignLabel: 'CampaignLabel',
}

const typeOfKind = (kind: Kind): protobuf.Type => typeOf(`resources.${typesOf[kind]}`)

const snakeOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A body has the shape of a `MutateGoogleAdsRequest` by now. */
export function changesOf(operations: readonly unknown[]): Change[] {
  return operations.map((operation, index) => {
    const [[member = '', value = null] = []] = isObject(operation) ? Object.entries(operation) : []
    const path = [{ fieldName: 'mutate_operations', index }, { fieldName: snakeOf(member) }]
    if (!isObject(value)) throw refusal('requestError.OPERATION_REQUIRED', 'It is empty.', { path })
    const kind = kindsBy[member]
    if (!kind)
      throw refusal('mutateError.MUTATE_NOT_ALLOWED', `${member} is not in this fake.`, { path })
    return changeOf(kind, value, path)
  })
}

function changeOf(kind: Kind, value: Json, path: PathElement[]): Change {
  const { create, update, remove, updateMask } = value
  if (isObject(create)) return creation(kind, create, { updateMask, path })
  if (isObject(update)) return alteration(kind, update, { updateMask, path })
  if (typeof remove !== 'string')
    throw refusal('requestError.OPERATION_REQUIRED', 'create, update or remove is missing.', {
      path,
    })
  if (updateMask !== undefined) maskNotAllowed(path)
  checkName(kind, remove, [...path, { fieldName: 'remove' }])
  return { act: 'remove', kind, name: remove, path: [...path, { fieldName: 'remove' }] }
}

type Given = { updateMask: unknown; path: PathElement[] }

const maskNotAllowed = (path: PathElement[]) =>
  refuse('fieldMaskError.FIELD_MASK_NOT_ALLOWED', 'Only updates have a mask.', { path })

function creation(kind: Kind, resource: Json, { updateMask, path: outer }: Given): Change {
  const path = [...outer, { fieldName: 'create' }]
  if (updateMask !== undefined) maskNotAllowed(path)
  refuseOutput(typeOfKind(kind), resource, path)
  const { resourceName } = resource
  if (typeof resourceName === 'string') {
    checkName(kind, resourceName, path)
    const isTemporary = resourceName.split('/').at(-1)?.startsWith('-')
    if (!isTemporary)
      refuse('newResourceCreationError.CANNOT_SET_ID_FOR_CREATE', 'Ids are given, not taken.', {
        path,
      })
  }
  return { act: 'create', kind, resource, path }
}

function alteration(kind: Kind, resource: Json, { updateMask, path: outer }: Given): Change {
  const path = [...outer, { fieldName: 'update' }]
  const { resourceName, ...members } = resource
  if (typeof resourceName !== 'string')
    throw refusal('requestError.RESOURCE_NAME_MISSING', 'The resource name is missing.', { path })
  checkName(kind, resourceName, path)
  if (typeof updateMask !== 'string' || updateMask === '')
    throw refusal('fieldMaskError.FIELD_MASK_MISSING', 'An update needs a mask.', { path })
  const mask = updateMask.split(',')
  for (const name of mask) checkMask(typeOfKind(kind), name, path)
  refuseOutput(typeOfKind(kind), members, path)
  // Google ignores them; a client that sends them has made a mistake.
  const beside = Object.keys(members).find(
    (name) => !mask.some((each) => each === name || each.startsWith(`${name}.`)),
  )
  if (beside) refuse('fieldMaskError.FIELD_NOT_FOUND', `${beside} is not in the mask.`, { path })
  return { act: 'update', kind, resource, mask, path }
}

const named = (path: PathElement[], name: string): Partial<ErrorItem> => ({
  path: [...path, { fieldName: snakeOf(name) }],
})

function checkMask(type: protobuf.Type, name: string, path: PathElement[]): void {
  const [first = '', ...rest] = name.split('.')
  const field = fieldOf(type, first)
  if (!field) throw refusal('fieldMaskError.FIELD_NOT_FOUND', `There is no ${name}.`, { path })
  const behaviors = behaviorsOf(field)
  if (behaviors.includes('IMMUTABLE') || behaviors.includes('OUTPUT_ONLY'))
    throw refusal('fieldError.IMMUTABLE_FIELD', `${name} cannot be changed.`, named(path, first))
  const inner = field.resolvedType
  if (isMessage(inner) && rest.length > 0) checkMask(inner, rest.join('.'), path)
  else if (isMessage(inner) && !field.repeated && inner.fieldsArray.length > 0)
    refuse('fieldMaskError.FIELD_HAS_SUBFIELDS', `${name} has members of its own.`, { path })
}

/** Fields that only the network sets. */
function refuseOutput(type: protobuf.Type, value: Json, path: PathElement[]): void {
  for (const [name, member] of Object.entries(value)) {
    const field = fieldOf(type, name)
    if (!field) continue
    if (behaviorsOf(field).includes('OUTPUT_ONLY'))
      refuse('fieldError.VALUE_MUST_BE_UNSET', `${name} is of the network.`, named(path, name))
    const inner = field.resolvedType
    if (isMessage(inner) && isObject(member)) refuseOutput(inner, member, path)
  }
}

function checkName(kind: Kind, name: string, path: PathElement[]): void {
  const pattern = patternOf(typeOfKind(kind))
  const isOf = pattern.test(name)
  if (!isOf)
    refuse('requestError.RESOURCE_NAME_MALFORMED', `${name} is no name of a ${kind}.`, { path })
}

export const responseOf = (kind: Kind, resourceName: string): Json => ({
  [`${camelOf(snakeOf(kind))}Result`]: { resourceName },
})
