import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { ofProject, ofRun } from './vitest.settings.ts'

const machine = 'test/**/*.machine.test.ts'

/** Rules of this repository and its stack, which `npm run check` tests. */
const rules = ['test/laws/**/*.test.ts', 'test/lib/constructs/**/*.test.ts', 'test/lib/showrunner-stack*.test.ts']

/** Files that replace a module. Files that share their process would find the replacement. */
const replacing = globSync('test/**/*.test.ts', { exclude: [machine, 'test/support/**'] }).filter((file) =>
  readFileSync(file, 'utf8').includes('vi.mock('),
)

/** Tests of seconds at most. They need Node and npm, and no time of their own: a slow machine passes them too. */
export default defineConfig({
  test: {
    ...ofRun,
    projects: [
      {
        test: {
          ...ofProject,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [machine, ...rules, ...replacing],
          isolate: false, // what all files import is loaded once for each core, which halves the time
        },
      },
      { test: { ...ofProject, name: 'rules', include: rules, exclude: [machine], isolate: false } },
      { test: { ...ofProject, name: 'apart', include: replacing } },
    ],
  },
})
