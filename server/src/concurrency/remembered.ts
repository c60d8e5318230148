import { LruMap } from 'toad-cache'

/** Keeps the last results of a pure function, by a key made of its arguments. */
export function remembered<Value extends object | string>(
  most: number,
): (key: string | number, make: () => Value) => Value {
  const known = new LruMap<Value>(most)
  return (key, make) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make()
    known.set(key, made)
    return made
  }
}
