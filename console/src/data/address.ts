import type { LinkProps } from '@tanstack/react-router'
import type { Search } from './search.ts'

type Path = Extract<LinkProps['to'], `/${string}`>

/** The path of a screen that shows one object. */
export type ObjectPath = Extract<Path, `/${string}/$id`>
/** The path of a screen that is there once. */
export type ScreenPath = Exclude<Path, `${string}$${string}`>

/** Where a link leads, for links that are kept as data. */
export type Address = { search?: Search } & (
  | { to: ScreenPath; params?: undefined }
  | { to: ObjectPath; params: { id: string } }
)
