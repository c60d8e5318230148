import { createFileRegistry, fromBinary, fromJson, type JsonValue } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import descriptor, { type IDescriptorProto } from 'protobufjs/ext/descriptor.js'
import { protos } from '../fake/protos.ts'
import type { Exchange } from '../fake/record.ts'

/** A second judgement of each exchange, by the JSON parser of Protobuf-ES, on the same definition. */

type Registry = ReturnType<typeof createFileRegistry>

const packages = [
  ...['google.protobuf', 'google.rpc'],
  ...['enums', 'common', 'errors', 'resources', 'actions', 'services'].map(
    (name) => `google.ads.googleads.v25.${name}`,
  ),
]

let registry: Registry | undefined

function registryOf(): Registry {
  if (registry) return registry
  const set = protos().toDescriptor('proto3')
  // One file a package, each after those that it needs; others are of no message.
  set.file = packages.flatMap((name) => set.file.find((file) => file.package === name) ?? [])
  for (const file of set.file) {
    // Parts that the messages do not need: they name types that are not loaded.
    file.service = []
    file.extension = []
    file.dependency = set.file.slice(0, set.file.indexOf(file)).map(({ name }) => name ?? '')
    for (const message of file.messageType ?? []) qualify(message, file.package ?? '')
  }
  const bytes = descriptor.FileDescriptorSet.encode(set).finish()
  registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes))
  return registry
}

/** Writes the types of fields by their whole names: protobufjs leaves out what both have in common. */
function qualify(message: IDescriptorProto, scope: string): void {
  const name = `${scope}.${message.name}`
  const { fields } = protos().lookupType(name)
  // Extensions of descriptors stand among their fields.
  message.field = (message.field ?? []).filter((field) => !field.name?.startsWith('.'))
  for (const field of message.field) {
    const type = fields[field.name ?? '']?.resolve().resolvedType
    if (type) field.typeName = type.fullName
  }
  for (const inner of message.nestedType ?? []) qualify(inner, name)
}

const requests: Readonly<Record<string, string>> = {
  searchStream: 'SearchGoogleAdsStreamRequest',
  mutate: 'MutateGoogleAdsRequest',
}

let judgements = 0

registryOf()

/** How many requests were judged. */
export const judged = (): number => judgements

/** Throws what the parser says against a request that the fake has taken. */
export function judge({ path, body, status }: Exchange): void {
  if (status >= 400) return
  const name = requests[path.split(':').at(-1) ?? '']
  const type = registryOf().getMessage(`google.ads.googleads.v25.services.${name}`)
  if (!type) throw new Error(`there is no ${name}`)
  const json: JsonValue = JSON.parse(body)
  fromJson(type, json, { ignoreUnknownFields: false, registry: registryOf() })
  judgements += 1
}
