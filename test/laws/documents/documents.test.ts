import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { documents, staleDocuments, writeDocuments } from '../../../bin/docs/documents.ts'
import { anchor } from '../../../bin/docs/markdown.ts'
import { retriedErrors } from '../../../bin/docs/retries.ts'
import type { JsonSchema } from '../../../lib/platform/contract/operations/openapi.ts'
import { listFiles, readSources, root } from '../sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

const writtenDocuments = [
  ...globSync(['*.md', 'site/*.md'], { cwd: root }),
  ...listFiles('.github', 'bin', 'docs', 'examples', 'lib', 'local', 'test').filter((path) => path.endsWith('.md')),
]

const topFolders = 'bench|bin|console|docs|examples|lambdas|lib|local|site|statemachines|test|watch|web|\\.ci|\\.github'

const testFiles = new Set(listFiles('test').map((path) => posix.basename(path)))

/** Paths and tests in inline code that do not exist. Patterns with a star are ignored. */
function missingPaths(path: string, text: string): string[] {
  const named = text.matchAll(new RegExp(`\`((?:${topFolders})/[\\w./-]+)\``, 'g'))
  const tests = [...text.matchAll(/`(\w[\w.-]*\.test\.ts)`/g)].filter(([, name]) => !testFiles.has(name ?? ''))
  return [...named]
    .filter(([, name = '']) => !existsSync(join(root, name)))
    .concat(tests)
    .map(([, name]) => `${path} names ${name}, which does not exist.`)
}

describe('documents', () => {
  it('say what the code says; if not, run npm run docs', () => {
    expect([...staleDocuments().keys()]).toEqual([])
  })

  it('link only to files and headings that exist', () => {
    expect(writtenDocuments.flatMap((path) => brokenLinks(path, read(path)))).toEqual([])
  })

  it('name only files and folders of the repository that exist', () => {
    expect(writtenDocuments.flatMap((path) => missingPaths(path, read(path)))).toEqual([])
    expect(missingPaths('a.md', '`lib/attic.ts` `lib/clock.ts` `docs/decisions/` `lib/at*` `attic.test.ts`')).toEqual([
      'a.md names lib/attic.ts, which does not exist.',
      'a.md names attic.test.ts, which does not exist.',
    ])
  })

  it('have their links followed to the heading', () => {
    const text = '# One two\n[a](#one-two) [b](#three) [c](../README-of-nothing.md) [d](https://example.com)'
    expect(brokenLinks('docs/x.md', text)).toEqual([
      'docs/x.md links to #three.',
      'docs/x.md links to ../README-of-nothing.md.',
    ])
  })
})

function brokenLinks(path: string, text: string): string[] {
  const isThere = (link: string): boolean => {
    const [file = '', heading] = link.split('#')
    const target = file ? posix.join(posix.dirname(path), file) : path
    const known = target === path || existsSync(join(root, target))
    const headings = () =>
      [...(target === path ? text : read(target)).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchor(title))
    return known && (heading === undefined || headings().includes(`#${heading}`))
  }
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => !/^https?:/.test(link) && !isThere(link)).map((link) => `${path} links to ${link}.`)
}

describe('staleDocuments', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'showrunner-docs-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('names every document that is not there, and none once they are written', () => {
    expect([...staleDocuments(folder).keys()]).toEqual(Object.keys(documents))
    expect(writeDocuments(folder)).toEqual(Object.keys(documents))
    expect(staleDocuments(folder).size).toBe(0)
  })

  it('notices one changed word', () => {
    writeDocuments(folder)
    const file = join(folder, 'docs/tasks.md')
    writeFileSync(file, readFileSync(file, 'utf8').replace('60 s', '61 s'))
    expect([...staleDocuments(folder).keys()]).toEqual(['docs/tasks.md'])
  })

  it('keeps what people wrote around a generated block', () => {
    writeDocuments(folder)
    const file = join(folder, 'docs/sandbox.md')
    const written = `# Why\n\nBefore.\n\n<!-- generated:callees -->\nOUTDATED\n<!-- end -->\n\nAfter.\n`
    writeFileSync(file, written)
    expect(writeDocuments(folder)).toEqual(['docs/sandbox.md'])
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/^# Why\n\nBefore\.\n\n<!-- generated:callees -->\n/)
    expect(text).toMatch(/\n<!-- end -->\n\nAfter\.\n$/)
    expect(text).not.toMatch('OUTDATED')
  })

  it('asks for the markers where they are lost', () => {
    writeDocuments(folder)
    writeFileSync(join(folder, 'docs/sandbox.md'), '# Why\n')
    expect(() => staleDocuments(folder)).toThrow('docs/sandbox.md needs a line <!-- generated:callees -->')
  })
})

describe('docs/show.schema.json', () => {
  it('describes every field of a show', () => {
    const silent = (schema: JsonSchema, path: string): string[] => {
      const { properties = {}, items, anyOf = [] } = schema
      const inner = [...(items ? [items as JsonSchema] : []), ...(anyOf as JsonSchema[])]
      return [
        ...inner.flatMap((one) => silent(one, path)),
        ...Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, one]) => [
          ...(one.description || one.$ref ? [] : [`${path}.${name}`]),
          ...silent(one, `${path}.${name}`),
        ]),
      ]
    }
    expect(silent(JSON.parse(read('docs/show.schema.json')), 'show')).toEqual([])
  })
})

describe('docs/errors.md', () => {
  const text = read('docs/errors.md')
  const [table = ''] = text.split('\n## ')
  const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)

  /** Errors that never leave a task: why they need no row. */
  const inner = {
    DeadlinePassed: 'the client turns it into PlatformUnavailableError',
    CallbackError: 'refuses a callback; the caller answers it',
    ChangeFailedError: 'the API answers it, and the watch task notes it',
    ApiProblem: 'is an answer of the HTTP API',
    FfmpegConfigError: 'goes by the name of TaskConfigError',
    FfmpegError: 'goes by the name of MediaError',
    ForeignKeysError: 'goes by the name of TaskInputError',
    LayoutError: 'is of stylesheets; the sandbox makes a MediaError of it',
    KeysUnavailableError: 'is of the verifier in event apps',
    ShowrunnerError: 'is of the client in event apps',
    MissingValue: 'the client turns it into PlatformResponseError or CallbackError',
  }

  it('has a row for every error a task can end with, and no other', () => {
    const declared = readSources('lib', 'lambdas').flatMap(({ text: source }) =>
      [
        ...source.matchAll(/^(?:export )?class (\w+) extends \w*Error\b|^(?:export )?class (\w+) extends ApiProblem/gm),
      ].map(([, name]) => name),
    )
    expect([...documented, ...Object.keys(inner)].sort()).toEqual(declared.sort())
  })

  it('is about errors that the code throws by the same literal name', () => {
    const literals = readSources('lib').flatMap(({ text: source }) =>
      [...source.matchAll(/override readonly name = '(\w+)'/g)].map(([, name]) => name),
    )
    for (const name of documented) expect(literals).toContain(name)
  })

  it('tells those that are retried, all of which exist', () => {
    const retried = [...table.matchAll(/^\| `(\w+)` \| [^|]* \| retries the task \|/gm)].map(([, name]) => name)
    expect(retried.sort()).toEqual(retriedErrors.filter((name) => !name.includes('.')).sort())
  })
})

describe('docs/decisions', () => {
  const pages = listFiles('docs/decisions').filter((path) => !path.endsWith('README.md'))
  const index = read('docs/decisions/README.md')

  it('are numbered from 1, without a gap', () => {
    const numbers = pages.map((path) => Number(/\/(\d{4})-[^/]+$/.exec(path)?.[1]))
    expect(numbers).toEqual(pages.map((_, at) => at + 1))
  })

  it('are all in the index, by their titles', () => {
    const entries = [...index.matchAll(/^(\d+)\. \[(.+)\]\((.+)\)$/gm)].map(([, number, title, file]) => [
      `docs/decisions/${file}`,
      `# ${number}. ${title}`,
    ])
    expect(entries).toEqual(pages.map((path) => [path, read(path).split('\n')[0]]))
  })

  it.each(pages)('%s says context, decision and consequence', (path) => {
    const text = read(path)
    expect([...text.matchAll(/^## (.+)\n\n\S/gm)].map(([, title]) => title)).toEqual([
      'Context',
      'Decision',
      'Consequence',
    ])
    expect(text.split('\n').length).toBeLessThanOrEqual(25)
  })
})
