import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useSetSearch } from '../../data/search.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { sayTrouble } from '../../ui/layers/toast.tsx'
import { EditButton, MoreMenu } from '../../ui/objects/object-actions.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Page } from '../../ui/page.tsx'
import { Details } from './details.tsx'
import { Dialogs } from './dialogs.tsx'
import { Answer, Health, type Tested, useSwitchOn } from './health.tsx'
import { type Channel, channelQuery, testChannel } from './queries.ts'
import { ChannelStatus } from './status.tsx'

export default function NotificationChannelScreen() {
  const { id } = useParams({ from: '/organization/notification-channels/$id' })
  return (
    <ObjectScreen query={useQuery(channelQuery(id))}>
      {(channel) => <ChannelPage key={channel.id} channel={channel} />}
    </ObjectScreen>
  )
}

function ChannelPage({ channel }: { channel: Channel }) {
  const test = useTest(channel)
  return (
    <Page
      title={channel.name}
      beside={<ChannelStatus channel={channel} />}
      within={{ to: '/organization/notification-channels', name: 'Notification channels' }}
      actions={
        <>
          <Button
            look="primary"
            icon={<IconSend aria-hidden />}
            blocked={useBlocked('testNotificationChannel')}
            busy={test.answer === 'waiting'}
            onClick={test.run}
          >
            Send a test
          </Button>
          <EditButton needs="updateNotificationChannel" />
          <More channel={channel} />
        </>
      }
    >
      <Answer answer={test.answer} />
      <Health channel={channel} isTested={test.answer !== null} />
      <Details channel={channel} />
      <Dialogs channel={channel} />
    </Page>
  )
}

function More({ channel }: { channel: Channel }) {
  const setSearch = useSetSearch()
  const switchOn = useSwitchOn(channel)
  const mayDelete = useBlocked('deleteNotificationChannel')
  const { blocked } = switchOn
  return (
    <MoreMenu
      items={[
        channel.status === 'disabled'
          ? { name: 'Switch on', blocked, run: switchOn.run }
          : { name: 'Switch off…', blocked, run: () => setSearch({ open: 'disable' }) },
        'line',
        {
          name: 'Delete…',
          danger: true,
          blocked: mayDelete,
          run: () => setSearch({ open: 'delete' }),
        },
      ]}
    />
  )
}

function useTest({ id }: Channel) {
  const [answer, setAnswer] = useState<Tested>(null)
  const test = async () => {
    setAnswer('waiting')
    try {
      setAnswer((await testChannel(id)) ?? 'unknown')
    } catch (error) {
      setAnswer(null)
      sayTrouble(error)
    }
  }
  return { answer, run: () => void test() }
}
