import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

/** The service that `npm run dev:console` works on. */
const service = process.env.FLIGHTDECK_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  // The SDK's TypeScript, not what was built of it.
  resolve: { conditions: ['flightdeck-source', ...defaultClientConditions] },
  build: {
    target: 'baseline-widely-available',
    outDir: '../server/console',
    emptyOutDir: true,
    // The policy allows no inline data but images.
    assetsInlineLimit: 0,
    // Browsers that need it are older than what the console uses.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // One file has everything that all screens load, not one for each set of screens that share
        // it.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  server: {
    // The session's cookie counts only where the request comes from the service's own origin.
    proxy: { '/api': { target: service }, '/console/session': { target: service } },
  },
})
