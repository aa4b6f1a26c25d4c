import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { ofProject, ofRun } from './vitest.settings.ts'

const machine = 'test/**/*.machine.test.ts'

/** Rules of this repository and its stack, which `npm run check` tests. */
const rules = ['test/laws/**/*.test.ts', 'test/lib/constructs/**/*.test.ts', 'test/lib/showrunner-stack*.test.ts']

for (const file of globSync('test/**/*.test.ts', { exclude: [machine] }))
  if (readFileSync(file, 'utf8').includes('vi.mock('))
    throw new Error(`${file} replaces a module, which other files of its process would find. Pass in what it needs.`)

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
          exclude: [machine, ...rules],
          isolate: false, // what all files import is loaded once for each core, which halves the time
          execArgv: ['--max-semi-space-size=32'], // megabytes: with more room the garbage of a world is collected in half the time
        },
      },
      { test: { ...ofProject, name: 'rules', include: rules, exclude: [machine], isolate: false } },
    ],
  },
})
