import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import protobuf from 'protobufjs'

/** Google’s own definition of the API, from the packages that publish it. */

/** The folder of protos in a package, found from a file that may import it. */
const protosIn = (name: string, from: string): string => {
  const entry = createRequire(from).resolve(name)
  return `${entry.slice(0, entry.lastIndexOf('/build/'))}/build/protos`
}

const ads = protosIn('google-ads-node', import.meta.url)
/** The folders of its own protos, and of those that they import. */
const folders = [ads, protosIn('google-gax', `${ads}/index.js`)]

const base = 'google.ads.googleads.v25'
const files = ['services/google_ads_service', 'errors/errors'].map(
  (name) => `google/ads/googleads/v25/${name}.proto`,
)

let loaded: protobuf.Root | undefined

/** Parsed once a process; it takes half a second. */
export function protos(): protobuf.Root {
  if (loaded) return loaded
  const root = new protobuf.Root()
  root.resolvePath = (_, target) =>
    folders.map((folder) => join(folder, target)).find((path) => existsSync(path)) ?? target
  root.loadSync(files, { keepCase: true })
  root.resolveAll()
  loaded = root
  return root
}

export const typeOf = (name: string): protobuf.Type => protos().lookupType(`${base}.${name}`)

export type Method = { name: string; request: protobuf.Type; response: protobuf.Type }

/** The methods of the service by the end of their path, from `google.api.http`. */
export function methodsOf(): ReadonlyMap<string, Method> {
  const service = protos().lookupService(`${base}.services.GoogleAdsService`)
  const entries = service.methodsArray.map((method): [string, Method] => {
    const post: unknown = method.options?.['(google.api.http).post']
    method.resolve()
    const { name, resolvedRequestType: request, resolvedResponseType: response } = method
    if (typeof post !== 'string' || !request || !response) throw new Error(`${name} has no route`)
    return [post, { name, request, response }]
  })
  return new Map(entries)
}

export const camelOf = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The field of a message by its name in JSON. */
export function fieldOf(type: protobuf.Type, jsonName: string): protobuf.Field | null {
  let fields = fieldsBy.get(type)
  if (!fields) {
    fields = new Map(type.fieldsArray.map((field) => [camelOf(field.name), field.resolve()]))
    fieldsBy.set(type, fields)
  }
  return fields.get(jsonName) ?? null
}

const fieldsBy = new WeakMap<protobuf.Type, Map<string, protobuf.Field>>()

export function behaviorsOf(field: protobuf.Field): string[] {
  const all = [field.options ?? {}, ...(field.parsedOptions ?? [])]
  return all.flatMap((options: Record<string, unknown>) => {
    const value = options['(google.api.field_behavior)']
    return typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : []
  })
}

export const isEnum = (type: unknown): type is protobuf.Enum => type instanceof protobuf.Enum
export const isMessage = (type: unknown): type is protobuf.Type => type instanceof protobuf.Type

/** The resource names of a resource, from `google.api.resource`. */
export function patternOf(type: protobuf.Type): RegExp {
  const found = [type.options ?? {}, ...(type.parsedOptions ?? [])]
    .map((options: Record<string, unknown>) => JSON.stringify(options))
    .map((text) => /"(?:pattern|\(google\.api\.resource\)\.pattern)":"([^"]+)"/.exec(text)?.[1])
    .find((pattern) => pattern !== undefined)
  if (found === undefined) throw new Error(`${type.name} is no resource`)
  return new RegExp(`^${found.replace(/\{[a-z_]+\}/g, '-?\\d+')}$`)
}
