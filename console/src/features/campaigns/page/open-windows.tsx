import { useQuery } from '@tanstack/react-query'
import { partKey } from '../../../data/keys.ts'
import { organizationNow } from '../../../data/organization.ts'
import { one, useScreenState, useSetSearch } from '../../../data/search.ts'
import {
  type ClockChange,
  clockChanges,
  dayMs,
  formatDay,
  formatWeekday,
} from '../../../data/values/time.ts'
import { type Campaign, flightdeck, type Schema } from '../../../flightdeck.ts'
import { Button } from '../../../ui/button.tsx'
import fieldStyles from '../../../ui/fields.module.css'
import { Empty } from '../../../ui/lists/empty.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { Table } from '../../../ui/lists/table.tsx'
import { Notice, ProblemNotice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/page.tsx'
import { Time } from '../../../ui/values/time.tsx'

const spans = [7, 14, 31, 62]

type Window = Schema<'OpenWindow'>

/** Windows as they will come, those over a change of the clocks included. */
export function OpenWindows({ campaign }: { campaign: Campaign }) {
  const [search, setSearch] = useScreenState()
  const days = spans.find((each) => `${each}` === one(search.days)) ?? 7
  const start = one(search.from)
  const { id, version } = campaign
  const { data, error, isPending } = useQuery({
    queryKey: partKey('campaigns', id, 'windows', { days, start, version }),
    queryFn: async () => {
      const from = start ?? new Date(await organizationNow()).toISOString()
      const to = later(from, days)
      return { windows: (await flightdeck.campaigns.getSchedule(id, { from, to })).data, from, to }
    },
  })
  return (
    <Section
      title="Open windows"
      actions={
        <div className={fieldStyles.presets}>
          {start && (
            <Button small onClick={() => setSearch({ from: undefined })}>
              From now
            </Button>
          )}
          <select
            aria-label="Days to show"
            className={fieldStyles.input}
            value={days}
            onChange={({ target }) => setSearch({ days: target.value })}
          >
            {spans.map((each) => (
              <option key={each} value={each}>
                {each} days
              </option>
            ))}
          </select>
        </div>
      }
    >
      {isPending && <Skeleton rows={7} />}
      {error && <ProblemNotice error={error} />}
      {data && <Windows campaign={campaign} {...data} />}
    </Section>
  )
}

const later = (time: string, days: number): string =>
  new Date(Date.parse(time) + days * dayMs).toISOString()

type WindowsProps = { campaign: Campaign; windows: readonly Window[]; from: string; to: string }

function Windows({ campaign: { time_zone: zone, schedule }, windows, from, to }: WindowsProps) {
  const changes = clockChanges(zone, from, to)
  const about =
    changes.length === 0 ? (
      <NextChange zone={zone} from={to} />
    ) : (
      changes.map((change) => <ChangeNotice key={change.at} change={change} zone={zone} />)
    )
  if (schedule.length === 0) return <Empty title="It is open at all hours">{about}</Empty>
  return (
    <>
      {about}
      {windows.length === 0 ? (
        <Empty title="No window opens in these days" />
      ) : (
        <Table
          caption={`Open windows on the clock of ${zone}`}
          rows={windows.map((window) => ({ ...window, id: window.start }))}
          columns={[
            {
              id: 'day',
              header: 'Day',
              minor: true,
              cell: ({ start }) => formatWeekday(start, zone),
            },
            {
              id: 'opens',
              header: 'Opens',
              cell: ({ start }) => <Time time={start} zone={zone} />,
            },
            { id: 'closes', header: 'Closes', cell: ({ end }) => <Time time={end} zone={zone} /> },
            { id: 'length', header: 'Lasts', align: 'end', cell: lengthText },
          ]}
        />
      )}
    </>
  )
}

function lengthText({ start, end }: Window): string {
  const minutes = Math.round((Date.parse(end) - Date.parse(start)) / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')
}

type ChangeProps = { change: ClockChange; zone: string }

const ChangeNotice = ({ change: { at, from, to }, zone }: ChangeProps) => (
  <Notice
    tone="warn"
    title={`Clocks go from ${from.slice(11)} to ${to.slice(11)} on ${formatDay(at, zone)}.`}
  >
    <p>
      {to > from
        ? 'Hours that are skipped do not open. These are the windows as they will be.'
        : 'Hours that come twice are open for longer. These are the windows as they will be.'}
    </p>
  </Notice>
)

const farDays = 400

/** The next change of the clock, if none is in sight. */
function NextChange({ zone, from }: { zone: string; from: string }) {
  const setSearch = useSetSearch()
  const [next] = clockChanges(zone, from, later(from, farDays))
  if (!next) return null
  return (
    <p>
      The clocks of {zone} change next on {formatDay(next.at, zone)}.{' '}
      <Button small onClick={() => setSearch({ from: later(next.at, -3), days: undefined })}>
        Show the days around it
      </Button>
    </p>
  )
}
