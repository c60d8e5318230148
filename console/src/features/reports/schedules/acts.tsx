import { flightdeck } from '../../../flightdeck.ts'
import { Confirm } from '../../../ui/forms/confirm.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import type { Report } from '../queries.ts'
import { type ReportSchedule, recipientsText, timesText } from './words.ts'

/** Acts that are confirmed first. */
export type Act = 'send' | 'off' | 'on' | 'remove'

type ActProps = {
  act: Act
  report: Report
  schedule: ReportSchedule
  onDone: () => void
  onClose: () => void
}

type Texts = { title: string; text: string; verb: string; done: string }

function textsOf(act: Act, schedule: ReportSchedule): Texts {
  const to = recipientsText(schedule.recipients)
  switch (act) {
    case 'send':
      return {
        title: 'Send it now?',
        text: `A snapshot is made, and a link to it is mailed to ${to}.`,
        verb: 'Send',
        done: `Sent to ${to}`,
      }
    case 'off':
      return {
        title: 'Switch this schedule off?',
        text: 'It is sent no more until it is switched on again. Links that it has mailed go on working.',
        verb: 'Switch off',
        done: 'The schedule is off',
      }
    case 'on':
      return {
        title: 'Switch this schedule on?',
        text: `${timesText(schedule)} it is sent to ${to}, from now on with your rights.`,
        verb: 'Switch on',
        done: 'The schedule is on',
      }
    case 'remove':
      return {
        title: 'Remove this schedule?',
        text: 'Links that it has mailed go on working: end them under “Links”.',
        verb: 'Remove schedule',
        done: 'The schedule is removed',
      }
  }
}

export function ActDialog({ act, report, schedule, onDone, onClose }: ActProps) {
  const { done, ...texts } = textsOf(act, schedule)
  const { reports } = flightdeck
  return (
    <Confirm<unknown>
      {...texts}
      danger={act === 'remove'}
      run={(write) => {
        if (act === 'send') return reports.sendSchedule(report, schedule, write)
        if (act === 'remove') return reports.deleteSchedule(report, schedule, write)
        const status = act === 'on' ? 'enabled' : 'disabled'
        return reports.updateSchedule(report, schedule, { status }, write)
      }}
      onClose={onClose}
      onDone={() => {
        say(done)
        onDone()
      }}
    />
  )
}
