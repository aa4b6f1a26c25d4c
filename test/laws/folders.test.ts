import { describe, expect, it } from 'vitest'
import { folderLoops, folderSizeProblems } from './folders.ts'
import { listFiles, readSources } from './sources.ts'

const folders = ['bin', 'lib', 'lambdas', 'statemachines', 'local', 'web', 'bench']

describe('folders', () => {
  it('hold 2 to 20 files', () => {
    expect(folderSizeProblems(listFiles(...folders), { min: 2 })).toEqual([])
  })

  it('of tests hold at most 20 files', () => {
    expect(folderSizeProblems(listFiles('test', 'examples'), { min: 1 })).toEqual([])
  })

  it('import each other in one direction', () => {
    expect(folderLoops(readSources(...folders))).toEqual([])
  })
})

describe('folderSizeProblems', () => {
  const files = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`)

  it('names a folder of more than 20 files, and one of a single file', () => {
    const paths = [...files('lib/a', 21), ...files('lib/b', 20), ...files('lib/c', 1), ...files('lib/d', 1)]
    expect(folderSizeProblems([...paths, ...files('lib/d/e', 2)], { min: 2 })).toEqual([
      'lib/a holds 21 files: divide it into folders of at most 20.',
      'lib/c holds one file: move it to the folder above.',
    ])
  })
})

describe('folderLoops', () => {
  const source = (path: string, imported: string) => ({ path, text: `import { x } from '${imported}'` })

  it('finds a loop that no file shows', () => {
    const sources = [source('lib/a/one.ts', '../b/one.ts'), source('lib/b/two.ts', '../a/two.ts')]
    expect(folderLoops(sources)).toEqual(['lib/a → lib/b → lib/a'])
  })

  it('lets a folder and the folders inside it import each other', () => {
    const sources = [source('lib/a/face.ts', './b/one.ts'), source('lib/a/b/one.ts', '../basic.ts')]
    expect(folderLoops(sources)).toEqual([])
  })
})
