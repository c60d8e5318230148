import { allKinds } from '../../kinds.ts'

type Screen = NonNullable<(typeof allKinds)[number]['object']>

const places: readonly Screen[] = allKinds.flatMap(({ object }) => object ?? [])

/** The screen that a path of the service leads to, and the id of what it shows. */
export function placeOf(path: string | null): { place: Screen; id: string } | null {
  if (path === null) return null
  const at = path.lastIndexOf('/') + 1
  const id = path.slice(at)
  const found = places.find(({ to }) => to === path || to === `${path.slice(0, at)}$id`)
  return found ? { place: found, id } : null
}
