import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { flightdeck, type ProxyServer, type Schema } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/forms/confirm.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { Copy, Soft } from '../../ui/values/text.tsx'

type Revealed = Schema<'ProxyCredentials'>

/** Shown on demand only, in this component alone: another screen forgets them. */
export function Credentials({ proxy }: { proxy: ProxyServer }) {
  const [isAsked, setAsked] = useState(false)
  const [revealed, setRevealed] = useState<Revealed | null>(null)
  const mayReveal = useBlocked('revealProxyCredentials')
  const none = proxy.username === null && !proxy.has_password ? 'There are none.' : null
  return (
    <Card>
      <Facts
        facts={[
          ['User name', <Shown key="user" text={revealed?.username ?? proxy.username} />],
          ['Password', <Password key="password" proxy={proxy} revealed={revealed} />],
        ]}
      />
      <div>
        {revealed ? (
          <Button icon={<IconEyeOff aria-hidden />} onClick={() => setRevealed(null)}>
            Hide credentials
          </Button>
        ) : (
          <Button
            icon={<IconEye aria-hidden />}
            blocked={mayReveal ?? none}
            onClick={() => setAsked(true)}
          >
            Reveal credentials…
          </Button>
        )}
      </div>
      {isAsked && (
        <Confirm
          title={`Reveal the credentials of ${proxy.name}?`}
          text="The audit log records that you saw them. They are hidden again when you leave this screen."
          verb="Reveal credentials"
          run={(write) => flightdeck.proxies.revealCredentials(proxy.id, write)}
          onClose={() => setAsked(false)}
          onDone={(credentials) => {
            setRevealed(credentials)
            setAsked(false)
          }}
        />
      )}
    </Card>
  )
}

type PasswordProps = { proxy: ProxyServer; revealed: Revealed | null }

const Password = ({ proxy, revealed }: PasswordProps) =>
  revealed?.password ? (
    <Shown text={revealed.password} />
  ) : (
    <Soft>{proxy.has_password ? '••••••••' : '–'}</Soft>
  )

const Shown = ({ text }: { text: string | null }) =>
  text === null ? <Soft>–</Soft> : <Copy text={text} />
