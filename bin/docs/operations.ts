import type { Operation } from '../../lib/platform/contract/operation.ts'
import { argumentsInPath, type JsonSchema, jsonSchemaOf } from '../../lib/platform/contract/operations/openapi.ts'
import { operations } from '../../lib/platform/contract/operations/operations.ts'
import { fieldRows, fieldTable, type Refer } from './fields.ts'
import { anchor, code, fence, markdownPage, prose, table } from './markdown.ts'

const numberOf = ({ id }: Operation) => Number(id.slice(1))

/** The operations in the order of their numbers. The contract has the order of a router. */
const everyOperation: [string, Operation][] = Object.entries<Operation>(operations).sort(
  ([, one], [, other]) => numberOf(one) - numberOf(other),
)

/** Statuses that all operations have, each with its most frequent cause. */
const usualCauses: ReadonlyMap<string, string> = new Map(
  Object.keys(everyOperation[0]?.[1].errors ?? {}).flatMap((status): [string, string][] => {
    const causes = everyOperation.map(([, { errors }]) => (errors as Readonly<Record<string, string>>)[status])
    const groups = Map.groupBy(causes, (cause) => cause)
    const [[cause, users] = [undefined, []]] = [...groups].sort(([, one], [, other]) => other.length - one.length)
    return cause && !causes.includes(undefined) && users.length > causes.length / 2 ? [[status, cause]] : []
  }),
)

/** Renders `docs/operations.md`: the operations of the platform. */
export function renderOperations(): string {
  const contents = everyOperation.map(([name, { id, summary, method, path, credentials = 'project', repeatable }]) => [
    id,
    `[${name}](${anchor(name)})`,
    code(`${method} ${path}`),
    summary,
    credentials,
    repeatable ? 'yes' : 'no',
  ])
  return markdownPage(
    'Operations of the video platform',
    '`lib/platform/contract`',
    'These are the operations that Showrunner uses. The client, the sandbox and [OpenAPI](openapi.json) use the same ' +
      'names. All arguments are passed in one object. If a project’s credentials sign, the client adds its `apiKey`.',
    table(['Number', 'Operation', 'Route', 'What it does', 'Signed by', 'Repeatable'], contents),
    'Repeating a repeatable operation does no harm. After a lost answer to any other operation, find out whether it had ' +
      'its effect before you repeat it.',
    'An operation may also answer these statuses, unless its own table has another cause:',
    table(
      ['Status', 'Cause'],
      [...usualCauses].map(([status, cause]) => [code(status), cause]),
    ),
    ...everyOperation.map(([name, operation]) => describe(name, operation)),
    '## Resources',
    'Answers may have more fields.',
    ...resources(),
  )
}

const linked: Refer = (reference) => {
  const name = reference.replace(/^.*\//, '')
  return `[${name}](${anchor(name)})`
}

function describe(name: string, operation: Operation): string {
  const { id, summary, limits = [], method, path, base, encoding, example } = operation
  const rows = argumentsOf(operation)
  return [
    `## ${name}`,
    `${id} · ${code(`${method} ${path}`)}`,
    [summary, ...limits].join(' '),
    ...(encoding === 'form' ? ['The body is sent as a form.'] : []),
    ...(base === 'insights' ? ['The route is relative to the URL of Insights.'] : []),
    rows.length > 0 ? table(['Argument', 'In', 'Type', 'Default', 'Notes'], rows) : 'It has no arguments.',
    table(['Status', 'Answer or cause'], statusesOf(operation)),
    fence('json', JSON.stringify(example, null, 2)),
  ].join('\n\n')
}

function argumentsOf(operation: Operation): string[][] {
  const from = (place: string, schema: Operation['query'] | Operation['body']) =>
    schema
      ? fieldRows(resolved(jsonSchemaOf(schema)), linked).map(([name = '', ...rest]) => [name, place, ...rest])
      : []
  return [
    ...argumentsInPath(operation).map((name) => [code(name), 'path', 'string', 'required', '']),
    ...from('query', operation.query),
    ...from('body', operation.body),
  ]
}

function statusesOf({ success, errors }: Operation): string[][] {
  const answer = success.response ? answerOf(jsonSchemaOf(success.response)) : 'No body.'
  const own = Object.entries(errors).filter(([status, cause]) => usualCauses.get(status) !== cause)
  return [[code(success.status), answer], ...own.map(([status, cause]) => [code(status), cause])]
}

/** Describes an answer: a resource, a page of a list, or a list. */
function answerOf(schema: JsonSchema): string {
  const items = (schema.items ?? (schema.properties?.items as JsonSchema | undefined)?.items) as JsonSchema | undefined
  if (schema.$ref) return linked(schema.$ref)
  if (items?.$ref)
    return schema.properties
      ? `${code('count')} and ${code('items')}, a list of ${linked(items.$ref)}`
      : `A list of ${linked(items.$ref)}`
  return schema.description ?? 'An object.'
}

/** Returns the definition that a schema refers to, or the schema itself. */
const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref ? (schema.$defs?.[schema.$ref.replace(/^.*\//, '')] as JsonSchema) : schema

/** Describes the types that answers and arguments refer to. The type of a whole body is described with its operation. */
function resources(): string[] {
  const found = new Map<string, JsonSchema>()
  for (const [, { body, success }] of everyOperation) {
    const schemas = [body && resolved(jsonSchemaOf(body)), success.response && jsonSchemaOf(success.response)]
    for (const schema of schemas)
      for (const [name, definition] of Object.entries(schema?.$defs ?? {})) found.set(name, definition as JsonSchema)
  }
  return [...found]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, definition]) =>
      [`### ${name}`, prose(definition.description ?? ''), fieldTable(definition, linked)].filter(Boolean).join('\n\n'),
    )
}
