import { describe, expect, it } from 'vitest'
import { ofProject } from '../../vitest.settings.ts'
import { readSources, type Source } from './sources.ts'

/** Hooks that a module registers when it is imported: they belong to the first test file that does so, not to the others. */
const ofFirstImporter = (sources: readonly Source[]) =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:after|before)(?:All|Each)\(/gm)].map(
      ([hook]) => `${path} calls ${hook}…) when it is imported: call it in a function that each test file calls.`,
    ),
  )

describe('hooks', () => {
  it('are registered by test files, since projects that are not isolated import a shared module once', () => {
    const shared = readSources('test', 'bench', 'examples').filter(
      ({ path }) => !path.endsWith('.test.ts') && !ofProject.setupFiles.includes(path),
    )
    expect(ofFirstImporter(shared)).toEqual([])
  })

  it('are found at the top of a module, and not in its functions', () => {
    const sources = [
      { path: 'top.ts', text: 'const directory = 1\nafterAll(() => rm(directory))' },
      { path: 'called.ts', text: 'export const open = () => {\n  afterAll(close)\n}' },
    ]
    expect(ofFirstImporter(sources).map((problem) => problem.split(' ')[0])).toEqual(['top.ts'])
  })
})
