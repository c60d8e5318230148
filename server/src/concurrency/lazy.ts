export type Lazy<T> = {
  (): T
  /** The value, if it was ever used. */
  ifMade(): T | undefined
}

/** Creates a value on first use and keeps it. */
export function lazy<T>(make: () => T): Lazy<T> {
  let made: { value: T } | undefined
  const use = () => {
    made ??= { value: make() }
    return made.value
  }
  return Object.assign(use, { ifMade: () => made?.value })
}
