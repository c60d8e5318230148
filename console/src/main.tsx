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

applyPreferences()
void askWhoIsLoggedIn()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
