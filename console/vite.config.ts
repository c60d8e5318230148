import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

/** The service that `npm run dev:console` works on. */
const service = process.env.FLIGHTDECK_URL ?? 'http://127.0.0.1:8080'

type Graph = { getModuleInfo(id: string): { importedIds?: readonly string[] } | null }

/** The screen that people come for, and the start. */
const firstScreens = ['src/main.tsx', 'src/features/campaigns/grid/campaigns.tsx']

/** Names of files are their digests alone: each stands in the files that load it. */
const named = (digest: string) => ({
  entryFileNames: `assets/${digest}.js`,
  chunkFileNames: `assets/${digest}.js`,
  assetFileNames: `assets/${digest}[extname]`,
})

/** The feature of a file; none for those of the largest, whose screens load but parts of it. */
const featureOf = (id: string): string | null =>
  /\/console\/src\/features\/(?!campaigns\/|change-sets\/)([\w-]+)\//.exec(id)?.[1] ?? null

let first: ReadonlySet<string> | undefined

const inFirst = (graph: Graph): ReadonlySet<string> => {
  first ??= reachedFrom(
    graph,
    firstScreens.map((path) => join(import.meta.dirname, path)),
  )
  return first
}

function reachedFrom(graph: Graph, from: readonly string[], seen = new Set<string>()) {
  for (const id of from) {
    if (seen.has(id)) continue
    seen.add(id)
    reachedFrom(graph, graph.getModuleInfo(id)?.importedIds ?? [], seen)
  }
  return seen
}

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
        // One file has everything that all screens load, one what many screens but the first load, and
        // one what files of a feature share, not one for each set of screens: small files compress badly.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'first', tags: ['$initial'] },
            {
              name: (id, graph) => (inFirst(graph).has(id) ? null : 'shared'),
              test: /\/console\/src\//,
              minShareCount: 8,
              debugName: 'shared',
              priority: -1,
            },
            {
              name: (id, graph) => (inFirst(graph).has(id) ? null : featureOf(id)),
              test: /\/console\/src\/features\//,
              minShareCount: 2,
              debugName: 'feature',
              priority: -2,
            },
          ],
        },
        ...named('[hash:7]'),
      },
    },
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  server: {
    // The session's cookie counts only where the request comes from the service's own origin.
    proxy: { '/api': { target: service }, '/console/session': { target: service } },
  },
})
