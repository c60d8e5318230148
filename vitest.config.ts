import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,sdk,scripts,bench}/**/*.test.ts'],
    globalSetup: ['server/test/support/database.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 2,
  },
})
