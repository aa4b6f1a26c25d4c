import { defineConfig } from 'vitest/config'
import { setupFiles } from './vitest.config.ts'

/** Tests that need programs of the machine (ffprobe, Chromium) or minutes; what is missing is named, and fails them. */
export default defineConfig({
  test: {
    name: 'machine',
    silent: 'passed-only', // functions write a line for each invocation
    setupFiles,
    include: ['test/**/*.machine.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
