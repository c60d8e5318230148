import type { Page } from 'playwright-core'

export type Authenticator = AsyncDisposable & {
  /** Whether the person opens it with a finger, or lets it be. */
  agree(isWilling: boolean): Promise<void>
}

/** An authenticator of the browser's own, as a telephone or a computer has one. */
export async function authenticatorOf(page: Page): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    agree: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    [Symbol.asyncDispose]: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      await session.send('WebAuthn.disable')
      await session.detach()
    },
  }
}
