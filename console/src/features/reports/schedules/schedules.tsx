import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listKey } from '../../../data/keys.ts'
import { useRows } from '../../../data/lists.ts'
import { organizationQuery } from '../../../data/organization.ts'
import { useScreenState } from '../../../data/search.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Empty } from '../../../ui/lists/empty.tsx'
import { List } from '../../../ui/lists/list.tsx'
import type { Column } from '../../../ui/lists/table.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { MoreMenu } from '../../../ui/objects/object-actions.tsx'
import { Status } from '../../../ui/values/status.tsx'
import { Age, Time } from '../../../ui/values/time.tsx'
import { type Report, scheduleList } from '../queries.ts'
import { type Act, ActDialog } from './acts.tsx'
import { ScheduleForm } from './form.tsx'
import styles from './schedules.module.css'
import { type ReportSchedule, recipientsText, timesText, troubleOf } from './words.ts'

type Asked = { act: Act; schedule: ReportSchedule }

/** The schedules by which a report is mailed. */
export default function Schedules({ report }: { report: Report }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [{ open }, setSearch] = useScreenState()
  const query = useInfiniteQuery(scheduleList(report.id))
  const edited = useRows(query).find(({ id }) => id === open)
  const refresh = useRefresh()
  const onClose = () => setSearch({ open: undefined })
  const add = <AddButton onAdd={() => setSearch({ open: 'schedule' })} />
  const hasRows = (query.data?.pages[0]?.data.length ?? 0) > 0
  return (
    <>
      <NoMail />
      {hasRows && <div className={styles.head}>{add}</div>}
      <List
        caption={`Schedules of ${report.name}`}
        query={query}
        columns={[...columns, actsColumn(setAsked, (id) => setSearch({ open: id }))]}
        empty={
          <Empty title="No schedules yet" action={add}>
            A schedule mails this report every week or month: a link to a snapshot of that moment.
          </Empty>
        }
      />
      {(open === 'schedule' || edited) && (
        <ScheduleForm
          key={edited?.id ?? 'new'}
          {...{ report, onClose }}
          schedule={edited}
          onDone={() => {
            refresh()
            onClose()
          }}
        />
      )}
      {asked && (
        <ActDialog
          {...{ report, ...asked }}
          onClose={() => setAsked(null)}
          onDone={() => {
            refresh()
            setAsked(null)
          }}
        />
      )}
    </>
  )
}

/** Reads again what an act may have changed: sending makes a snapshot and a link, too. */
function useRefresh() {
  const cache = useQueryClient()
  return () => {
    for (const kind of ['report_schedules', 'report_snapshots', 'report_links'] as const)
      void cache.invalidateQueries({ queryKey: listKey(kind).slice(0, 2) })
  }
}

const useHasNoMail = (): boolean => useQuery(organizationQuery).data?.mail === false

const NoMail = () =>
  useHasNoMail() && (
    <Notice title="This service sends no mail.">
      <p>Until the operator sets up a mail server, no report is sent.</p>
    </Notice>
  )

function AddButton({ onAdd }: { onAdd: () => void }) {
  const blocked = useBlocked('createReportSchedule')
  const noMail = useHasNoMail() ? 'This service sends no mail.' : null
  return (
    <Button blocked={blocked ?? noMail} onClick={onAdd}>
      New schedule
    </Button>
  )
}

const columns: readonly Column<ReportSchedule>[] = [
  {
    id: 'times',
    header: 'Sent',
    grow: true,
    wrap: true,
    cell: (schedule) => (
      <>
        {timesText(schedule)}
        <span className={styles.below}>To {recipientsText(schedule.recipients)}</span>
      </>
    ),
  },
  {
    id: 'status',
    header: 'State',
    wrap: true,
    cell: (schedule) => <ScheduleStatus schedule={schedule} />,
  },
  {
    id: 'next',
    header: 'Next',
    minor: true,
    cell: ({ next_at, time_zone }) => <Time time={next_at} zone={time_zone} />,
  },
  {
    id: 'last',
    header: 'Last sent',
    minor: true,
    cell: ({ last_sent_at }) => <Age time={last_sent_at} />,
  },
]

function ScheduleStatus({ schedule }: { schedule: ReportSchedule }) {
  const trouble = troubleOf(schedule)
  const isOff = schedule.status === 'disabled'
  return (
    <>
      <Status tone={trouble ? (isOff ? 'bad' : 'warn') : isOff ? 'neutral' : 'good'}>
        {isOff ? 'Off' : trouble ? 'Not sent' : 'On'}
      </Status>
      {trouble && <span className={classes(styles.below, styles.reason)}>{trouble}</span>}
    </>
  )
}

const actsColumn = (
  ask: (asked: Asked) => void,
  edit: (id: string) => void,
): Column<ReportSchedule> => ({
  id: 'acts',
  header: 'Actions',
  align: 'end',
  cell: (schedule) => (
    <Acts
      schedule={schedule}
      ask={(act) => ask({ act, schedule })}
      edit={() => edit(schedule.id)}
    />
  ),
})

type ActsProps = { schedule: ReportSchedule; ask: (act: Act) => void; edit: () => void }

function Acts({ schedule, ask, edit }: ActsProps) {
  const mayChange = useBlocked('updateReportSchedule')
  const maySend = useBlocked('sendReportSchedule')
  const mayRemove = useBlocked('deleteReportSchedule')
  const isOn = schedule.status === 'enabled'
  return (
    <MoreMenu
      items={[
        { name: 'Edit', blocked: mayChange, run: edit },
        { name: 'Send now…', blocked: maySend, run: () => ask('send') },
        {
          name: isOn ? 'Switch off…' : 'Switch on…',
          blocked: mayChange,
          run: () => ask(isOn ? 'off' : 'on'),
        },
        'line',
        { name: 'Remove…', danger: true, blocked: mayRemove, run: () => ask('remove') },
      ]}
    />
  )
}
