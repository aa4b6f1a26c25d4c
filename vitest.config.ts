import { defineConfig } from 'vitest/config'

/** Nothing that a test shows or stores may be one of the secrets that it uses. */
const setupFiles = ['test/support/secrecy/setup.ts']

/** Whole shows run in real time and alone, after everything else, so that no other test steals their frames. */
export default defineConfig({
  test: {
    // Functions write a line for each invocation.
    silent: 'passed-only',
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles,
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.e2e.test.ts', 'test/**/*.machine.test.ts'],
          testTimeout: 20_000,
          maxWorkers: '100%', // one core less, which is the default, would be half of a small machine
        },
      },
      {
        test: {
          name: 'e2e',
          setupFiles,
          include: ['test/**/*.e2e.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
