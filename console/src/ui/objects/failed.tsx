import { isProblem } from '@flightdeckhq/sdk'
import { CodeMissing } from '../../data/code.ts'
import { LinkButton } from '../button.tsx'
import { Empty } from '../lists/empty.tsx'
import { ReadFailed } from '../notice.tsx'
import { Page } from '../page.tsx'

export const ScreenMissing = () => (
  <Page title="Not found">
    <Empty title="There is no such screen" action={<LinkButton to="/">Go to the deck</LinkButton>}>
      The address may be mistyped, or what it led to has been deleted.
    </Empty>
  </Page>
)

function failureOf(error: unknown): string {
  if (isProblem(error, 'insufficient_role')) return 'Not for your role'
  return error instanceof CodeMissing ? 'This screen is not loaded' : 'This screen failed'
}

export const ScreenFailed = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <Page title={failureOf(error)}>
    <ReadFailed error={error} retry={retry} />
  </Page>
)
