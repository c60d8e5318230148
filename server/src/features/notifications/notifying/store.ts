import type { Transaction } from '../../../database/database.ts'
import type { Notice } from '../../../database/tables/json-columns.ts'
import { insertStatements } from '../../../database/tables/statements.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { newIdAt } from '../../../values/ids.ts'
import { type Category, notificationIds } from '../resource.ts'

/** One thing that one person is to be notified. */
export type Notified = {
  readonly userId: string
  readonly category: Category
  readonly type: string
  readonly eventId: string
  readonly at: string
  readonly notice: Notice
}

/** Repeats within this time are gathered. */
const gatheredMs = 60 * 60 * 1_000
/** The most that an inbox keeps. */
const kept = 1_000

type InboxRow = Pick<
  Row<'notifications'>,
  'id' | 'user_id' | 'type' | 'object_id' | 'created_at' | 'updated_at' | 'count'
>

const recentSql = `
  select id, user_id, type, object_id, created_at, updated_at, count from notifications
  where organization_id = $1 and user_id = any($2) and created_at > $3`

const repeatSql = `
  update notifications n set count = r.count, updated_at = r.at, content = r.content
  from unnest($2::text[], $3::integer[], $4::timestamptz[], $5::jsonb[]) as r (id, count, at, content)
  where n.organization_id = $1 and n.id = r.id`

const trimSql = `
  delete from notifications n using (
    select person.id as user_id, first.created_at, first.id
    from unnest($2::text[]) as person (id) cross join lateral (
      select created_at, id from notifications
      where organization_id = $1 and user_id = person.id
      order by created_at desc, id desc offset ${kept} limit 1) first) past
  where n.organization_id = $1 and n.user_id = past.user_id
    and (n.created_at, n.id) <= (past.created_at, past.id)`

/** Adds to the inboxes: what was notified of the same within the hour is notified no second time. */
export async function notify(
  ctx: Context,
  tx: Transaction,
  all: readonly Notified[],
): Promise<void> {
  const [first] = all
  if (!first) return
  const people = [...new Set(all.map(({ userId }) => userId))]
  const oldest = new Date(Date.parse(first.at) - gatheredMs).toISOString()
  const recent = await tx.query<InboxRow>(tenantQuery(ctx, recentSql, people, oldest))
  const { added, repeated } = gathered(ctx, recent, all)
  for (const statement of insertStatements('notifications', added)) tx.send(statement)
  if (repeated.length > 0) tx.send(tenantQuery(ctx, repeatSql, ...columnsOf(repeated)))
  tx.send(tenantQuery(ctx, trimSql, people))
}

/** The rows to add, and the rows that happened again. */
function gathered(ctx: Context, recent: readonly InboxRow[], all: readonly Notified[]) {
  const known = new Map<string, InboxRow>()
  for (const row of recent) remember(known, row)
  const [added, repeated] = [new Map<string, Added>(), new Map<string, Repeated>()]
  const ids = idsInOrder(ctx, all.length)
  for (const [at, notified] of all.entries()) {
    const row = rowOf(notified, { id: ids[at] ?? '', known })
    remember(known, row)
    const content = JSON.stringify(notified.notice)
    const before = added.get(row.id)
    if (before) added.set(row.id, { ...before, ...row, content })
    else if (row.count > 1) repeated.set(row.id, [row.id, row.count, row.updated_at, content])
    else added.set(row.id, newRow(ctx, notified, { row, content }))
  }
  return { added: [...added.values()], repeated: [...repeated.values()] }
}

/** Ids by which things of the same instant stand in the order of their events. */
const idsInOrder = ({ services }: Context, count: number): string[] =>
  Array.from({ length: count }, () => newIdAt(notificationIds, services.clock.now())).sort()

type Given = { id: string; known: ReadonlyMap<string, InboxRow> }

function rowOf(notified: Notified, { id, known }: Given): InboxRow {
  const { type, at, notice, userId: user_id } = notified
  const thing = { user_id, type, object_id: notice.object.id }
  const before = known.get(keyOf(thing))
  if (before && Date.parse(at) - Date.parse(before.created_at) < gatheredMs)
    return { ...before, updated_at: at, count: before.count + 1 }
  return { ...thing, id, created_at: at, updated_at: at, count: 1 }
}

const keyOf = ({ user_id, type, object_id }: Pick<InboxRow, 'user_id' | 'type' | 'object_id'>) =>
  `${user_id} ${type} ${object_id}`

/** The newest of each thing. */
function remember(known: Map<string, InboxRow>, row: InboxRow): void {
  const before = known.get(keyOf(row))
  if (!before || before.created_at <= row.created_at) known.set(keyOf(row), row)
}

type Added = InboxRow & { content: string; [column: string]: unknown }
type Repeated = readonly [id: string, count: number, at: string, content: string]

const newRow = (
  { organization }: Context,
  { category, eventId }: Notified,
  { row, content }: { row: InboxRow; content: string },
): Added => ({
  organization_id: organization.id,
  ...row,
  category,
  event_id: eventId,
  content,
  read_at: null,
})

const columnsOf = (rows: readonly Repeated[]): unknown[][] =>
  [0, 1, 2, 3].map((at) => rows.map((row) => row[at]))
