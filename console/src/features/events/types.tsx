import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../data/choices.ts'
import { saveFile } from '../../data/download.ts'
import { eventTypesQuery, groupsOf } from '../../data/events/types.ts'
import { finderOf } from '../../data/finder.ts'
import { one, useScreenState } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'
import { Button } from '../../ui/button.tsx'
import { sayTrouble } from '../../ui/layers/toast.tsx'
import { Filters } from '../../ui/lists/filters.tsx'
import { NoMatch } from '../../ui/lists/no-match.tsx'
import { Skeleton } from '../../ui/lists/skeleton.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import styles from './events.module.css'
import { Sections } from './sections.tsx'
import { TypeDetails } from './type-details.tsx'

/** The meaning of each type of event, with the schema of its object and an example. */
export default function EventTypes() {
  const [search] = useScreenState()
  const { data, error, isPending } = useQuery(eventTypesQuery)
  const isSought = finderOf(one(search.q) ?? '')
  const types = (data?.data ?? []).filter(({ type, description }) =>
    isSought(`${type} ${description}`),
  )
  return (
    <Page
      title="Catalogue of events"
      about="What each type of event means, and what it carries."
      actions={
        <Button icon={<IconDownload aria-hidden />} onClick={() => void download()}>
          Download with schemas
        </Button>
      }
    >
      <Sections />
      <Filters search="Search types" />
      {isPending && <Skeleton rows={8} />}
      {error && <ProblemNotice error={error} />}
      {data && types.length === 0 && <NoMatch kind="type">Change or clear the search.</NoMatch>}
      {groupsOf(types).map(({ resource, types }) => (
        <Section key={resource} title={nameOf(resource)}>
          <ul className={styles.types}>
            {types.map((type) => (
              <li key={type.type}>
                <TypeDetails type={type} schemas={data?.$defs ?? {}} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </Page>
  )
}

/** With each schema in full, for tools that make types of it. */
async function download(): Promise<void> {
  try {
    const text = JSON.stringify(await flightdeck.eventTypes.list(), null, 2)
    await saveFile(new Response(text), 'event-types.json')
  } catch (error) {
    sayTrouble(error)
  }
}
