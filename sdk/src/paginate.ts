import type { paths } from './openapi.ts'

type ListReply = { data: unknown[]; meta: { next_cursor: string | null } }
type List = { get: { responses: { 200: { content: { 'application/json': ListReply } } } } }

/** Paths that answer pages. */
export type ListPath = {
  [Path in keyof paths]: paths[Path] extends List ? Path : never
}[keyof paths]

type ReplyOf<Path extends ListPath> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Reply extends ListReply } } } }
}
  ? Reply
  : never

export type ItemOf<Path extends ListPath> = ReplyOf<Path>['data'][number]

export type ListQuery<Path extends ListPath> = paths[Path] extends {
  get: { parameters: { query?: infer Query extends object } }
}
  ? Query
  : never

type Get = (path: never, ...init: never[]) => Promise<unknown>

/** Follows `next_cursor` until there is none. */
export async function* pagesOf<Path extends ListPath>(
  get: Get,
  path: Path,
  query: object = {},
): AsyncGenerator<ItemOf<Path>> {
  let cursor: string | null = null
  do {
    const page: ReplyOf<Path> = await pageAt(get, path, cursor ? { ...query, cursor } : query)
    yield* itemsOf(page)
    cursor = page.meta.next_cursor
  } while (cursor)
}

// Safe by `ListPath`: such a path answers pages, which the compiler cannot see through a generic
// call.

function pageAt<Path extends ListPath>(get: Get, path: Path, query: object) {
  const getPage = get as (path: string, init: object) => Promise<unknown>
  return getPage(path, { params: { query } }) as Promise<ReplyOf<Path>>
}

const itemsOf = <Path extends ListPath>(page: ReplyOf<Path>) => page.data as ItemOf<Path>[]
