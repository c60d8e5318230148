/** `Object`'s own functions, with the names of an object's type. For objects that hold nothing else. */

type NameOf<T> = keyof T & string

export const keysOf = <T extends object>(object: T) => Object.keys(object) as NameOf<T>[]

export const hasKey = <T extends object>(object: T, name: string): name is NameOf<T> =>
  Object.hasOwn(object, name)

/** A member of a value of any shape; undefined if it has none of that name. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** An object with a value for each of these names. */
export const recordOf = <Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
) => Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<Name, Value>
