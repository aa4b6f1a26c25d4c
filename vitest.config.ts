import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** Nothing that a test shows or stores may be one of the secrets that it uses. */
export const setupFiles = ['setup', 'kept', 'shown'].map((name) => `test/support/secrecy/${name}.ts`)

const others = ['test/**/*.e2e.test.ts', 'test/**/*.machine.test.ts']

/** These put another module in the place of one, where files that share their process would find it. */
const replacing = globSync('test/**/*.test.ts', { exclude: [...others, 'test/support/**'] }).filter((file) =>
  readFileSync(file, 'utf8').includes('vi.mock('),
)

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
          exclude: [...others, ...replacing],
          testTimeout: 20_000,
          isolate: false, // what all files import is loaded once for each core, which halves the time
          maxWorkers: '100%', // one core less, which is the default, would be half of a small machine
        },
      },
      {
        test: {
          name: 'apart',
          setupFiles,
          include: replacing,
          testTimeout: 20_000,
          maxWorkers: '100%',
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
