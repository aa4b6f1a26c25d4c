import { describe, expect, it } from 'vitest'
import { importsOf } from './imports.ts'
import { cycles, entryPointProblems, layerProblems } from './layers.ts'
import { readSources } from './sources.ts'

const sources = readSources('bin', 'lib', 'lambdas', 'local', 'bench', 'web')

describe('layers', () => {
  it('are imported only in the direction of the table, types included', () => {
    expect(layerProblems(sources)).toEqual([])
  })

  it('hold every source file', () => {
    expect(layerProblems([{ path: 'lib/attic.ts', text: '' }])[0]).toMatch('belongs to no layer')
  })

  it('keep each function apart from the others', () => {
    expect(entryPointProblems(sources)).toEqual([])
  })

  it('have no cycle of imports', () => {
    expect(cycles(sources)).toEqual([])
  })
})

describe('layerProblems', () => {
  it.each([
    ['lib/platform/contract/a.ts', `import { z } from 'zod'\nimport { b } from 'jose'`, 'jose'],
    ['lib/platform/contract/a.ts', `import { readFileSync } from 'node:fs'`, 'node:fs'],
    ['lib/platform/client/a.ts', `import { S3Client } from '@aws-sdk/client-s3'`, '@aws-sdk/client-s3'],
    ['lib/media/a.ts', `import type { Show } from '../show/document/show.ts'`, 'lib/show/document/show.ts'],
    [
      'lambdas/show/a.ts',
      `import {\n  b,\n  type C,\n} from '../../lib/platform/client/client.ts'`,
      'lib/platform/client/client.ts',
    ],
    ['lib/constructs/a.ts', `export { b } from '../../lambdas/b.ts'`, 'lambdas/b.ts'],
    ['local/sandbox/a.ts', `import '../../lib/show/document/show.ts'`, 'lib/show/document/show.ts'],
    ['local/sandbox/a.ts', `type B = import('../../lib/platform/client/b.ts').B`, 'lib/platform/client/b.ts'],
    ['local/cloud/a.ts', `new Worker(new URL('../sandbox/b.ts', import.meta.url))`, 'local/sandbox/b.ts'],
    ['web/console/a.ts', `import { createClock } from '../../lib/clock.ts'`, 'lib/clock.ts'],
    ['lib/clock.ts', `import { b } from './media/b.ts'`, 'lib/media/b.ts'],
  ])('names what %s may not import by %j', (path, text, imported) => {
    const problems = layerProblems([{ path, text }])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`must not import ${imported}.`)
  })

  it('lets every layer read the clock', () => {
    expect(
      layerProblems([{ path: 'local/cloud/a.ts', text: `import type { Clock } from '../../lib/clock.ts'` }]),
    ).toEqual([])
  })
})

describe('entryPointProblems', () => {
  it('tells a function from a folder that functions share', () => {
    const text = `import { a } from '../middleware/a.ts'\nimport { b } from './b.ts'`
    const own = { path: 'lambdas/show/b.ts', text: 'export const handler = taskHandler()' }
    expect(entryPointProblems([own, { path: 'lambdas/show/c.ts', text }])).toEqual([
      'lambdas/show/c.ts must not import lambdas/show/b.ts, which is a function of its own.',
    ])
  })
})

describe('cycles', () => {
  it('finds one through a type', () => {
    const source = (path: string, imported: string) => ({ path, text: `import type { X } from '${imported}'` })
    const ring = [source('lib/a.ts', './b.ts'), source('lib/b.ts', './c.ts'), source('lib/c.ts', './a.ts')]
    expect(cycles(ring)).toEqual(['lib/a.ts → lib/b.ts → lib/c.ts → lib/a.ts'])
  })
})

describe('importsOf', () => {
  it('finds every import of a real file, and none in its comments', () => {
    const text = `// from 'nowhere'\nimport a, { b } from '@scope/name/inner'\nexport * from './b.ts'\nconst c = "from 'd'"`
    expect(importsOf({ path: 'lib/x/a.ts', text })).toEqual({
      files: ['lib/x/b.ts'],
      packages: ['@scope/name'],
      builtins: [],
    })
  })
})
