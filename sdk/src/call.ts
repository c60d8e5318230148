import type { components } from './openapi.ts'

/** The answer without its data. */
export type Answer = {
  status: number
  headers: Headers
  /** Quote it when you report a problem. */
  requestId: string
}

export type WithResponse<Data> = Answer & { data: Data }

/** A warning of a dry run: the change is valid, but may not be what was meant. */
export type Warning = components['schemas']['Warning']

export type DryRun<Data> = Data & { readonly warnings: readonly Warning[] }

/** Sends the request; `isDryRun` only checks it. */
export type Start<Data> = (isDryRun: boolean) => Promise<WithResponse<Data>>

/** The reason of a rejection, as a promise types it. */
type Reason = Parameters<NonNullable<Parameters<Promise<unknown>['catch']>[0]>>[0]

/** A request on its way. Await it for the data, or `withResponse()` for status and headers too. */
export class Call<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #start: Start<Data>
  #sent: Promise<WithResponse<Data>> | null = null
  #isDryRun = false

  constructor(start: Start<Data>) {
    this.#start = start
    // Not at once: `dryRun()` comes after the method that makes the call.
    queueMicrotask(() => {
      if (!this.#isDryRun) this.#send().catch(() => {})
    })
  }

  #send(): Promise<WithResponse<Data>> {
    this.#sent ??= this.#start(this.#isDryRun)
    return this.#sent
  }

  protected sendDryRun(): Promise<WithResponse<Data>> {
    if (this.#sent) throw new TypeError('The request has been sent: call dryRun() at once')
    this.#isDryRun = true
    return this.#send()
  }

  withResponse(): Promise<WithResponse<Data>> {
    return this.#send()
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited like a promise.
  then<Fulfilled = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: Reason) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#send()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected)
  }

  catch<Rejected = never>(
    onRejected?: ((reason: Reason) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Data | Rejected> {
    return this.then(null, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally)
  }
}

/** A write, which can be tried without an effect. */
export class WriteCall<Data, Tried = Data> extends Call<Data> {
  /** Makes all the checks of the write and answers what it would store; changes nothing. */
  async dryRun(): Promise<DryRun<Tried>> {
    const { data } = await this.sendDryRun()
    return data as unknown as DryRun<Tried>
  }
}

export type Page<Item> = {
  data: Item[]
  meta: {
    next_cursor: string | null
    has_more: boolean
    /** Says that nothing has the words of `q`: the items have the nearest ones. */
    search?: 'similar'
    /** How many notifications are unread; only where they are listed. */
    unread?: number
    /** All results that match, in each currency; only where results are listed. */
    totals?: components['schemas']['ResultGroup'][]
  }
}

/** Gets the page after a cursor. */
export type NextPage<Item> = (cursor: string) => PromiseLike<Page<Item>>

/** A list: await it for its first page, or iterate over the items of all pages. */
export class PageCall<Item> extends Call<Page<Item>> implements AsyncIterable<Item> {
  readonly #next: NextPage<Item>

  constructor(start: Start<Page<Item>>, next: NextPage<Item>) {
    super(start)
    this.#next = next
  }

  async *pages(): AsyncGenerator<Page<Item>> {
    let page: Page<Item> = await this
    yield page
    while (page.meta.next_cursor) {
      page = await this.#next(page.meta.next_cursor)
      yield page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const { data } of this.pages()) yield* data
  }

  /** The first `limit` items. The limit is required, as a list may have any length. */
  async toArray({ limit }: { limit: number }): Promise<Item[]> {
    const items: Item[] = []
    if (limit <= 0) return items
    for await (const item of this) {
      items.push(item)
      if (items.length >= limit) break
    }
    return items
  }
}
