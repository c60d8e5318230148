import type { LinkProps } from '@tanstack/react-router'

/** The address of a screen is its whole state: filters, sort, columns, what is open. */
export type Search = Readonly<Record<string, string | readonly string[] | undefined>>

type Path = Extract<LinkProps['to'], `/${string}`>

/** The path of a screen that shows one object. */
export type ObjectPath = Extract<Path, `/${string}/$id`>
/** The path of a screen that is there once. */
export type ScreenPath = Exclude<Path, `${string}$${string}`>

/** The target of a link, for links that are kept as data. */
export type Address = { search?: Search } & (
  | { to: ScreenPath; params?: undefined }
  | { to: ObjectPath; params: { id: string } }
)
