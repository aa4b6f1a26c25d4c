import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { names } from '../../lib/show/document/fields/names.ts'
import { lambdaOf, tasks } from '../../lib/tasks/tasks.ts'
import { readMachines, statesOf } from './machines.ts'
import { listFiles, readSources, type Source } from './sources.ts'

const taskNames = Object.keys(tasks)

/** Folders and files that say nothing of what they hold. */
const EMPTY_WORDS = ['utils', 'helpers', 'common', 'shared', 'core', 'misc', 'types']

const folders = ['bin', 'lib', 'lambdas', 'statemachines', 'local', 'web', 'examples', 'docs', 'bench', 'test']

const parts = (path: string) => path.split('/').map((part) => part.split('.')[0] ?? '')
const withEmptyWords = (paths: readonly string[]) =>
  paths.filter((path) => parts(path).some((part) => EMPTY_WORDS.includes(part)))
const notKebabCase = (paths: readonly string[]) =>
  paths.filter(
    (path) => !path.split('/').every((part) => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/.test(part)),
  )
const withDefaultExport = (sources: readonly Source[]) =>
  sources.filter(({ text }) => /^export (default\b|\{[^}]*\bas default\b)/m.test(text)).map(({ path }) => path)

describe('names of files', () => {
  const files = listFiles(...folders).filter((path) => basename(path) !== 'README.md')

  it('say what is inside', () => {
    expect(withEmptyWords(files)).toEqual([])
    expect(withEmptyWords(['lib/shared/a.ts', 'lib/utils.test.ts', 'lib/types.ts', 'lib/sharedness.ts'])).toHaveLength(
      3,
    )
  })

  it('are in kebab-case', () => {
    expect(notKebabCase(files)).toEqual([])
    const wrong = ['lib/aB.ts', 'lib/a_b.ts', 'Lib/a.ts', 'lib/a--b.ts', 'lib/a-.ts']
    expect(notKebabCase([...wrong, 'lib/s3/a-b.media.test.ts'])).toEqual(wrong)
  })
})

describe('names of exports', () => {
  it('are their own: nothing is exported as default', () => {
    expect(withDefaultExport(readSources(...folders))).toEqual([])
    const forms = ['export default 1', 'const a = 1\nexport { b, a as default }', 'export const a = 1']
    expect(withDefaultExport(forms.map((text, index) => ({ path: `${index}`, text })))).toEqual(['0', '1'])
  })
})

describe('names of tasks', () => {
  const sources = new Map(readSources('lib/tasks', 'lambdas').map(({ path, text }) => [path, text]))
  const functions = [...sources].filter(([, text]) => /^export const handler\b/m.test(text)).map(([path]) => path)

  it('follow one law', () => {
    expect(names.file('startRecording')).toBe('start-recording')
    expect(names.substitution('startRecording')).toBe('StartRecording')
    expect(names.state('startRecording')).toBe('Start recording')
  })

  it('are the names of their files, one each, and of no others', () => {
    const files = [...taskNames, 'api', 'watch', 'join'].map((name) => `lambdas/${lambdaOf(name)}.ts`)
    expect(functions.sort()).toEqual(files.sort())
  })

  it.each(taskNames)('%s is the name of its data, its file and its handler', (task) => {
    const tables = [...sources].filter(([path]) => path.startsWith('lib/tasks/'))
    expect(tables.filter(([, text]) => new RegExp(`^  ${task}: \\{$`, 'm').test(text))).toHaveLength(1)
    const code = sources.get(`lambdas/${lambdaOf(task)}.ts`)
    expect(code).toMatch(new RegExp(`^export const handler = (task|customResource)Handler\\(\\s*'${task}',`, 'm'))
  })

  const machines = readMachines()
  const taskStates = machines.flatMap(({ name, definition }) =>
    statesOf(definition)
      .filter(({ state }) => state.Type === 'Task')
      .map(({ title, state }) => ({ machine: name, title, resource: taskOrMachine(state) })),
  )
  const named = [
    ...taskNames.map((task) => ({ resource: names.substitution(task), title: names.state(task) })),
    ...machines.map(({ name }) => ({ resource: `${names.substitution(name)}Machine`, title: names.state(name) })),
  ]

  it.each(taskStates)('$machine: the state "$title" has the name of what it runs', ({ machine, title, resource }) => {
    const own = named.find((one) => one.resource === resource)?.title ?? `nothing of the name ${resource}`
    const isOneOfSeveral = taskStates.filter((one) => one.machine === machine && one.resource === resource).length > 1
    const runsMachine = resource?.endsWith('Machine')
    if (isOneOfSeveral || runsMachine) expect(isNamedAfter(title, own)).toBe(true)
    else expect(title).toBe(own)
  })

  it('are told apart by more words where one task has several states', () => {
    expect(isNamedAfter('Note dial-in failure', 'Note failure')).toBe(true)
    expect(isNamedAfter('Await audience', 'Audience')).toBe(true)
    expect(isNamedAfter('Failure noted', 'Note failure')).toBe(false)
  })
})

/** Whether a title has the words of a name in their order, among others. */
function isNamedAfter(title: string, name: string): boolean {
  const words = title.toLowerCase().split(' ')
  return name
    .toLowerCase()
    .split(' ')
    .every((word) => {
      const place = words.indexOf(word)
      return place >= 0 && words.splice(0, place + 1).length > 0
    })
}

/** The substitution a Task state names: its function, or the machine that it runs as a child. */
function taskOrMachine({ Resource, Arguments }: Record<string, unknown>): string | undefined {
  const machine = (Arguments as { StateMachineArn?: string } | undefined)?.StateMachineArn
  const named = /^arn:aws:states:::states:startExecution(\.sync:2)?$/.test(String(Resource)) ? machine : Resource
  return /^\$\{(\w+)\}$/.exec(String(named))?.[1]
}
