import { defineConfig } from 'vitest/config'

/** Tests that need programs of the machine (ffprobe, Chromium) or minutes; what is missing is named, and fails them. */
export default defineConfig({
  test: {
    name: 'machine',
    silent: 'passed-only', // functions write a line for each invocation
    setupFiles: ['test/support/secrecy/setup.ts'], // as for all other tests
    include: ['test/**/*.machine.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
