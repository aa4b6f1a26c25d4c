import { jsonSchemaOf } from '../../lib/platform/contract/operations/openapi.ts'
import { missingFormat, publishedFile } from '../../lib/publish/manifest/manifest.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { show } from '../../lib/show/document/show.ts'
import { capabilities } from '../../lib/tasks/environment.ts'
import { stateError } from '../../lib/tasks/state-errors.ts'
import { DEFAULT_MEMORY, type Task } from '../../lib/tasks/task.ts'
import { lambdaOf, tasks } from '../../lib/tasks/tasks.ts'
import { fieldTable, type Refer } from './fields.ts'
import { machineNames, readDocumentedMachine, statesOf } from './machines.ts'
import { anchor, code, markdownPage, table } from './markdown.ts'

const everyTask: [string, Task][] = Object.entries(tasks)

const sizeOf = ({ timeout, memory = DEFAULT_MEMORY }: Task) => [`${timeout} s`, `${memory} MB`] as const

/** Renders `docs/tasks.md`: the tasks of all machines. */
export function renderTasks(): string {
  const contents = everyTask.map(([task, { summary, ...limits }]) => [
    `[${names.state(task)}](${anchor(names.state(task))})`,
    machineOf(task) ?? '—',
    summary,
    ...sizeOf({ summary, ...limits }),
  ])
  return markdownPage(
    'Tasks',
    '`lib/tasks`',
    'Each task state of a machine runs its own function. An input that does not match the schema is refused with ' +
      '`TaskInputError`. Fields that the output does not list are removed.',
    table(['State', 'Machine', 'What it does', 'Timeout', 'Memory'], contents),
    'A task without a machine is started by an event or by the clock.',
    'A task that fails is repeated as [errors.md](errors.md#retries) says.',
    ...everyTask.map(([name, task]) => describe(name, task)),
    '## Capabilities',
    'The deployment grants a function exactly what these capabilities need.',
    table(['Capability', 'A function with it'], usedCapabilities()),
    ...sharedSchemas.map(([name, schema, purpose]) =>
      [`## ${name}`, purpose, fieldTable(jsonSchemaOf(schema))].join('\n\n'),
    ),
  )
}

function usedCapabilities(): string[][] {
  const used = new Set(everyTask.flatMap(([, task]) => task.capabilities))
  return [...used].sort().map((one) => [code(one), capabilities[one].summary])
}

/** Schemas that several tasks use: described once, at the end. */
const sharedSchemas = [
  ['StateError', stateError, 'The error that Step Functions passes to a Catch.'],
  ['PublishedFile', publishedFile, 'A file that was made from a recording.'],
  ['MissingFormat', missingFormat, 'A format that could not be made, and the reason.'],
] as const

const elsewhere = new Map<unknown, string>([
  [show, 'show.schema.json'],
  ...sharedSchemas.map(([name, schema]): [unknown, string] => [schema, anchor(name)]),
])
const addresses: Readonly<Record<string, string>> = {
  'show.schema.json': '[Show](show.schema.json)',
  ...Object.fromEntries(sharedSchemas.map(([name]) => [anchor(name), `[${name}](${anchor(name)})`])),
  '#/$defs/Layout': '[Layout](operations.md#layout)',
}
const refer: Refer = (reference) => addresses[reference] ?? code(reference)

function describe(name: string, task: Task): string {
  const file = `lambdas/${lambdaOf(name)}.ts`
  return [
    `## ${names.state(name)}`,
    `${code(name)} · [${file}](../${file})`,
    task.summary,
    `[Capabilities](#capabilities): ${task.capabilities.length > 0 ? task.capabilities.map(code).join(', ') : 'none'}`,
    '**Input**',
    fieldTable(jsonSchemaOf(task.input, elsewhere), refer),
    '**Output**',
    fieldTable(jsonSchemaOf(task.output, elsewhere), refer),
  ].join('\n\n')
}

const machineOf = (task: string) =>
  machineNames.find((machine) =>
    statesOf(readDocumentedMachine(machine)).some(([, { Resource }]) => Resource === `\${${names.substitution(task)}}`),
  )
