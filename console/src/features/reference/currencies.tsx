import { finderOf } from '../../data/finder.ts'
import { one, useScreenState } from '../../data/search.ts'
import { useCurrencies } from '../../data/values/currencies.ts'
import { Filters } from '../../ui/lists/filters.tsx'
import { NoMatch } from '../../ui/lists/no-match.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { Page } from '../../ui/page.tsx'
import { Money } from '../../ui/values/money.tsx'

const names = new Intl.DisplayNames('en', { type: 'currency' })

/** The currencies that campaigns may have. */
export default function Currencies() {
  const [search] = useScreenState()
  const isSought = finderOf(one(search.q) ?? '')
  const rows = useCurrencies()
    .map((each) => ({ ...each, id: each.currency, name: names.of(each.currency) ?? each.currency }))
    .filter(({ id, name }) => isSought(`${id} ${name}`))
  return (
    <Page
      title="Currencies"
      about="What campaigns can be paid in, and the smallest budget of each."
    >
      <Filters search="Search currencies" />
      {rows.length === 0 ? (
        <NoMatch kind="currency">Search for a part of its code or name.</NoMatch>
      ) : (
        <Table
          caption="Currencies"
          rows={rows}
          columns={[
            { id: 'code', header: 'Code', cell: ({ currency }) => currency },
            { id: 'name', header: 'Name', grow: true, cell: ({ name }) => name },
            {
              id: 'decimals',
              header: 'Decimals',
              align: 'end',
              minor: true,
              cell: ({ exponent }) => exponent,
            },
            {
              id: 'minimum',
              header: 'Smallest budget',
              align: 'end',
              cell: ({ minimum_budget_minor, currency, exponent }) => (
                <Money minor={minimum_budget_minor} currency={currency} exponent={exponent} />
              ),
            },
          ]}
        />
      )}
    </Page>
  )
}
