import { IconLock, IconLockOpen } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { flightdeck, type Template } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { bodyOf } from '../../ui/forms/body.ts'
import { say, sayTrouble } from '../../ui/layers/toast.tsx'
import { Empty } from '../../ui/lists/empty.tsx'
import { Table } from '../../ui/lists/table.tsx'
import { Card, Facts, Section } from '../../ui/page.tsx'
import { Copy, Labels } from '../../ui/values/text.tsx'
import { By } from '../../ui/values/time.tsx'
import { fieldNames } from '../campaigns/form/values.ts'
import { type Default, defaultNames } from './defaults.ts'
import { useShownDefault } from './shown-default.tsx'
import styles from './templates.module.css'

export const Details = ({ template }: { template: Template }) => (
  <>
    <Section title="Defaults of its campaigns">
      <Defaults template={template} />
    </Section>
    <Card>
      <Facts
        facts={[
          ['Description', template.description],
          ['Labels', <Labels key="labels" labels={template.labels} />],
          ...Object.entries(template.metadata).map(([key, value]) => [key, value] as const),
          ['External id', template.external_id],
          ['Id', <Copy key="id" text={template.id} />],
          ['Created', <By key="by" time={template.created_at} name={template.created_by_name} />],
          ['Changed', <By key="by" time={template.updated_at} name={template.updated_by_name} />],
        ]}
      />
    </Card>
  </>
)

function Defaults({ template }: { template: Template }) {
  const { defaults, locked_fields: locked } = template
  const shown = useShownDefault(defaults)
  const rows = defaultNames(defaults).map((id) => ({
    id,
    value: shown(id),
    isLocked: locked.includes(id),
  }))
  if (rows.length === 0) {
    return <Empty title="No defaults yet">Edit the template to give its campaigns some.</Empty>
  }
  return (
    <Table
      caption="Defaults of its campaigns"
      rows={rows}
      columns={[
        { id: 'field', header: 'Field', cell: ({ id }) => fieldNames[id] },
        { id: 'value', header: 'Default', grow: true, cell: ({ value }): ReactNode => value },
        {
          id: 'lock',
          header: 'In campaigns',
          align: 'end',
          cell: ({ id, isLocked }) => <Lock template={template} field={id} isLocked={isLocked} />,
        },
      ]}
    />
  )
}

type LockProps = { template: Template; field: Default; isLocked: boolean }

/** At once: only new campaigns follow, and it is as quickly undone. */
function Lock({ template, field, isLocked }: LockProps) {
  const blocked = useBlocked('patchTemplate')
  const name = fieldNames[field]
  const locked = template.locked_fields.filter((each) => each !== field)
  const toggle = () =>
    flightdeck.templates
      .patch(template, bodyOf({ locked_fields: isLocked ? locked : [...locked, field] }))
      .then(() => say(`${name} is ${isLocked ? 'open again' : 'locked'}`), sayTrouble)
  const verb = isLocked ? 'Unlock' : 'Lock'
  return (
    <span className={styles.lock}>
      <span className={styles.state}>{isLocked ? 'Locked' : 'Open'}</span>
      <Button
        small
        look="quiet"
        icon={isLocked ? <IconLockOpen aria-hidden /> : <IconLock aria-hidden />}
        aria-label={`${verb} ${name.toLowerCase()}`}
        blocked={blocked}
        onClick={() => void toggle()}
      >
        {verb}
      </Button>
    </span>
  )
}
