import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import './ui/print.css'
import { cache } from './data/cache.ts'
import { applyPreferences } from './data/stored/preferences.ts'
import { router } from './router.tsx'
import { askWhoIsLoggedIn } from './session.tsx'

/** The longest wait for the screen's code: a page that stays empty looks broken. */
const mostMs = 1_000

// The first picture has the screen: React would hold it back for 300 ms after one without it.
// Not awaited by the module: the screen's code is evaluated after it.
async function start(): Promise<void> {
  const element = document.getElementById('root')
  if (!element) throw new Error('The page has no root element')
  await Promise.race([router.load(), new Promise((resolve) => setTimeout(resolve, mostMs))])
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={cache}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

applyPreferences()
void askWhoIsLoggedIn()
void start()
