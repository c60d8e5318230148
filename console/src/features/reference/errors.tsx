import type { Result } from '@flightdeckhq/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { nameOf } from '../../data/choices.ts'
import { finderOf } from '../../data/finder.ts'
import { one, useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { Filters } from '../../ui/lists/filters.tsx'
import { NoMatch } from '../../ui/lists/no-match.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Breaks, Mono, Prose } from '../../ui/values/text.tsx'
import styles from './reference.module.css'

type Errors = Result<'listErrors'>

const errorsQuery = queryOptions({
  queryKey: ['reference', 'errors'],
  queryFn: async () => flightdeck.reference.listErrors(),
  staleTime: Number.POSITIVE_INFINITY,
})

export default function ErrorCodes() {
  return (
    <ObjectScreen query={useQuery(errorsQuery)}>
      {(errors) => <ErrorsPage errors={errors} />}
    </ObjectScreen>
  )
}

type Kind = { title?: string; code: string; cause: string; fix: string }

function ErrorsPage({ errors }: { errors: Errors }) {
  const [search] = useScreenState()
  const isSought = finderOf(one(search.q) ?? '')
  const matches = (kind: Kind) => isSought([kind.title, kind.code, kind.cause, kind.fix].join(' '))
  const problems = errors.data.filter(matches)
  const faults = errors.field_faults.filter(matches)
  return (
    <Page title="Error codes" about="What each refusal means, and what to do.">
      <Filters search="Search codes, causes and remedies" />
      {problems.length + faults.length === 0 && (
        <NoMatch kind="code">Search for a part of the code or of its cause.</NoMatch>
      )}
      {problems.length > 0 && (
        <Section title="Of requests">
          <Table
            caption="Codes of refused requests"
            rows={problems.map((kind) => ({ ...kind, id: kind.code }))}
            columns={[
              { id: 'code', header: 'Code', wrap: true, cell: Code },
              {
                id: 'status',
                header: 'Status',
                align: 'end',
                minor: true,
                cell: ({ status }) => status,
              },
              { id: 'retry', header: 'Retry', minor: true, cell: ({ retry }) => nameOf(retry) },
              { id: 'about', header: 'Cause and remedy', wrap: true, cell: About },
            ]}
          />
        </Section>
      )}
      {faults.length > 0 && (
        <Section title="Of fields">
          <Table
            caption="Codes of faults of a field"
            rows={faults.map((kind) => ({ ...kind, id: kind.code }))}
            columns={[
              { id: 'code', header: 'Code', wrap: true, cell: Code },
              { id: 'about', header: 'Cause and remedy', wrap: true, cell: About },
            ]}
          />
        </Section>
      )}
    </Page>
  )
}

const Code = ({ code, type }: { code: string; type: string }) => (
  <a href={type} target="_blank" rel="noopener">
    <Mono>
      <Breaks text={code} />
    </Mono>
  </a>
)

const About = ({ cause, fix }: Kind) => (
  <div className={styles.about}>
    <p>
      <Prose text={cause} />
    </p>
    <p>
      <Prose text={fix} />
    </p>
  </div>
)
