/** The organization and key of a person or credential in SQL: parameters for one, rows of `asked` for several. */
export type Asked = { readonly from: string; readonly tenant: string; readonly key: string }

/** The tenant is a parameter in each subquery: so Citus finds its shard. */
export const askedForOne: Asked = { from: '', tenant: '$1', key: '$2' }

export const askedForMany: Asked = {
  from: 'unnest($1::text[], $2::text[]) as asked (tenant, key) cross join lateral',
  tenant: 'asked.tenant',
  key: 'asked.key',
}
