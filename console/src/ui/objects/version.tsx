import type { DryRun, Page, Schema, WriteOptions } from '@flightdeckhq/sdk'
import type { Kind } from '../../kinds.ts'
import type { Reading } from './diff.tsx'

export type Entry = Schema<'HistoryEntry'>
export type Versioned = { id: string; name: string; version: number }

type RevertCall<Of> = PromiseLike<Of> & { dryRun(): Promise<DryRun<Of>> }

/** The client's methods for a kind of object with versions. */
type VersionedResource<Of> = {
  getHistory(
    id: string,
    query: { cursor: string | undefined; limit: number },
  ): PromiseLike<Page<Entry>>
  get(id: string, query: { as_of: string }): PromiseLike<Of>
  revert(object: Of, body: { to_version: number }, write?: WriteOptions): RevertCall<Of>
}

export type HistoryProps<Of extends Versioned> = {
  kind: Kind
  object: Of
  resource: VersionedResource<Of>
  reading: Reading
  /** The reason why the role may not revert; null if it may. */
  blocked: string | null
}
