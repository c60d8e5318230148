import { Document, isMap, isScalar, isSeq, visit } from 'yaml'
import { type Schema, schemaText } from '../../schema.ts'
import { factsOf, type Kind, kinds } from '../kinds.ts'
import type { Live, Names } from '../live/object.ts'
import { type FieldsOf, valuesToWrite } from './values.ts'

/** These objects as a project file. Names of objects that are not among them stay ids. */
export function fileOf(project: string, live: readonly Live[]): string {
  const names: Names = new Map(live.map(({ id, key }) => [id, key]))
  const fields = fieldsOf(JSON.parse(schemaText()))
  const sections = kinds.flatMap((kind) => {
    const found = live.filter((each) => each.kind === kind)
    const objects = found.map((each) => [each.key, valuesToWrite(each, names, fields)] as const)
    return objects.length === 0 ? [] : [[factsOf[kind].section, new Map(objects)] as const]
  })
  // Other readers take `on` and dates for something else: those are quoted, too.
  const document = new Document(new Map<string, unknown>([['project', project], ...sections]), {
    compat: 'yaml-1.1',
  })
  visit(document, {
    Seq: (_, node) => {
      node.flow = node.items.every(isScalar)
    },
    Map: (_, node, path) => {
      const isWindow = isSeq(path.at(-1))
      node.flow = node.items.length === 0 || (isWindow && isMap(node))
    },
  })
  return document.toString({ lineWidth: 0 })
}

function fieldsOf({ properties = {} }: Schema): FieldsOf {
  const of = (kind: Kind) => {
    const objects = properties[factsOf[kind].section]?.additionalProperties
    return typeof objects === 'object' ? Object.keys(objects.properties ?? {}) : []
  }
  return {
    client: of('client'),
    proxy: of('proxy'),
    profile: of('profile'),
    template: of('template'),
    campaign: of('campaign'),
  }
}
