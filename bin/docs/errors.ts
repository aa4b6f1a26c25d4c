import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as mediaErrors from '../../lib/media/media-error.ts'
import * as platformErrors from '../../lib/platform/client/errors.ts'
import * as workflowErrors from '../../lib/tasks/errors.ts'
import { root } from '../local/root.ts'
import { machineNames, readDocumentedMachine, statesOf } from './machines.ts'
import { code, markdownPage, table } from './markdown.ts'
import { describeRetries, retriedErrors } from './retries.ts'

/** The modules whose errors a task can end with, by their paths. */
const modules: Readonly<Record<string, object>> = {
  'lib/platform/client/errors.ts': platformErrors,
  'lib/tasks/errors.ts': workflowErrors,
  'lib/media/media-error.ts': mediaErrors,
}

/** Renders `docs/errors.md`: every error by name, and what the workflow does next. */
export function renderErrors(): string {
  const rows = Object.entries(modules).flatMap(([path, module]) => {
    const source = readFileSync(join(root, path), 'utf8')
    return namesOfErrors(module, source).map((name) => [
      code(name),
      meaningOf(name, source),
      next(name),
      adviceOf(name),
    ])
  })
  const ends = machineNames.flatMap((machine) =>
    statesOf(readDocumentedMachine(machine))
      .filter(([, { Type }]) => Type === 'Fail')
      .map(([title, { Error: name }]) => [code(name), machine, title]),
  )
  return markdownPage(
    'Errors',
    Object.keys(modules).map(code).join(', '),
    'Errors are classified by what the workflow does next. Their names are what Step Functions matches.',
    table(['Error', 'Meaning', 'The workflow', 'Its message advises to'], rows),
    describeRetries(),
    '## How an execution fails',
    'Waiting is a state, never an error. An execution fails with one of these errors.',
    table(['Error', 'Machine', 'State'], ends),
  )
}

type ErrorClass = new (message: string, options: { details: object }) => Error

/** Returns the classes with an own name, in the order of the source. A base class has none. */
const namesOfErrors = (module: object, source: string): string[] =>
  Object.entries(module)
    .filter(([, value]) => typeof value === 'function' && value.prototype instanceof Error)
    .filter(([name, value]) => new (value as ErrorClass)('', { details: {} }).name === name)
    .map(([name]) => name)
    .sort((one, other) => source.indexOf(`class ${one} `) - source.indexOf(`class ${other} `))

/**
 * Returns the comment above the class.
 * @throws Error when there is none
 */
function meaningOf(name: string, source: string): string {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\nexport class ${name} `).exec(source)?.[1]
  if (!comment) throw new Error(`${name} needs a comment that says what it means: docs/errors.md is made of it.`)
  return comment.replace(/\s*\n?\s*\*\s+/g, ' ').trim()
}

const next = (name: string) => (retriedErrors.includes(name) ? 'retries the task' : 'continues at the nearest Catch')

/** Returns the advice in the message of a platform error, found by its statuses. */
function adviceOf(name: string): string {
  for (let status = 300; status < 600; status++) {
    const { errorClass, advice } = platformErrors.classify(status)
    if (errorClass.name === name) return advice
  }
  return ''
}
