import type { Json } from './schemas.ts'

/** A part of an operation, and what it would be called as a component, the best name first. */
export type Part = { names: readonly string[]; json: Json }

type Sharing = {
  /** The part itself, or a reference if several operations have it. */
  refer(part: Part): Json
  components: Record<string, Json>
}

/** Makes a component of each part that occurs more than once. */
export function share(
  kind: 'parameters' | 'requestBodies' | 'responses',
  parts: readonly Part[],
): Sharing {
  const groups = [...Map.groupBy(parts, jsonTextOf).values()].filter(({ length }) => length > 1)
  const names = new Map<string, string>()
  const components: Record<string, Json> = {}
  for (const [first] of groups) {
    const name = first?.names.find((name) => !(name in components))
    if (!first || name === undefined) continue
    names.set(jsonTextOf(first), name)
    components[name] = first.json
  }
  return {
    components,
    refer(part) {
      const name = names.get(jsonTextOf(part))
      return name === undefined ? part.json : { $ref: `#/components/${kind}/${name}` }
    },
  }
}

const jsonTextOf = ({ json }: Part): string => JSON.stringify(json)

/** `version_mismatch` → `VersionMismatch` */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())
