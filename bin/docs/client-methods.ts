import { z } from 'zod'
import { classify } from '../../lib/platform/client/errors.ts'
import { isList } from '../../lib/platform/client/pages.ts'
import { archiveOperations } from '../../lib/platform/contract/archives.ts'
import { broadcastOperations } from '../../lib/platform/contract/broadcasts.ts'
import { callOperations } from '../../lib/platform/contract/calls.ts'
import { composerOperations } from '../../lib/platform/contract/composers.ts'
import { connectionOperations } from '../../lib/platform/contract/connections.ts'
import { insightsOperations } from '../../lib/platform/contract/insights/insights.ts'
import type { Operation } from '../../lib/platform/contract/operation.ts'
import { argumentsInPath } from '../../lib/platform/contract/operations/openapi.ts'
import { operations } from '../../lib/platform/contract/operations/operations.ts'
import { projectOperations } from '../../lib/platform/contract/projects.ts'
import { sessionOperations } from '../../lib/platform/contract/sessions.ts'
import { signalOperations } from '../../lib/platform/contract/signals.ts'
import { streamOperations } from '../../lib/platform/contract/streams.ts'
import { uploadTargetOperations } from '../../lib/platform/contract/upload-targets.ts'
import { flagsOf } from '../platform/flags.ts'
import { describeArgument } from '../platform/help.ts'
import { literal } from './literal.ts'

/** The line width of the formatter. */
const MAX_WIDTH = 120

type Table = Readonly<Record<string, Operation>>

/** The interface of each resource, with its operations. */
const interfaces: readonly (readonly [resource: string, operations: Table])[] = [
  ['archive', archiveOperations],
  ['broadcast', broadcastOperations],
  ['call', callOperations],
  ['composer', composerOperations],
  ['insights', insightsOperations],
  ['participant', { ...signalOperations, ...connectionOperations }],
  ['project', projectOperations],
  ['session', sessionOperations],
  ['stream', streamOperations],
  ['upload-target', uploadTargetOperations],
]

/** Errors that the client throws for an answer instead of the error of the answer's status. */
const clientErrors: Readonly<Record<string, readonly string[]>> = {
  deleteArchive: [
    '@throws 403 {@link PlatformNotFoundError}: No such archive, which the client confirms with getArchive.',
  ],
}

/** The renderers of the client's interfaces in `lib/platform/client/methods`, by path. */
export const clientMethodFiles: Readonly<Record<string, () => string>> = Object.fromEntries([
  ...interfaces.map(([resource, table]) => [pathOf(`${resource}-methods`), () => renderMethods(resource, table)]),
  [pathOf('list-iterators'), renderIterators],
])

function pathOf(name: string): string {
  return `lib/platform/client/methods/${name}.ts`
}

function renderMethods(resource: string, table: Table): string {
  const methods = Object.entries(table).map(([name, operation]) => {
    const result = operation.success.response ? `Answer<Operations['${name}']>` : 'undefined'
    return method(name, operation, documentationOf(name, operation), `Promise<${result}>`)
  })
  const comment = `Client methods of the platform’s ${resource.replace('-', ' ')} operations.`
  return file(comment, `${capitalized(resource)}Methods`, methods)
}

function renderIterators(): string {
  const lists = Object.entries<Operation>(operations).filter(([, operation]) => isList(operation))
  const methods = lists.map(([name, operation]) => {
    const documentation = [
      `${operation.summary} Iterates over the items and requests pages as needed.`,
      '',
      ...errorsOf(name, operation),
      ...exampleOf(
        `const ids: string[] = []\nfor await (const { id } of client.each.${name}(${argumentOf(operation)}))\n  ids.push(id)`,
      ),
    ]
    return method(name, operation, documentation, `AsyncIterable<ItemOf<Operations['${name}']>>`)
  })
  return file('Iterators over the items of lists.', 'ListIterators', methods)
}

function file(comment: string, name: string, methods: readonly string[]): string {
  const text = methods.join('\n\n')
  const [answers] = /Answer|ItemOf/.exec(text) ?? []
  const errors = [...new Set([...text.matchAll(/@link (\w+)/g)].map(([, error]) => error))].sort()
  return [
    '// Generated from lib/platform/contract by `npm run docs`: change it there.',
    "import type { Request } from '../../contract/operation.ts'",
    "import type { Operations } from '../../contract/operations/operations.ts'",
    ...(answers ? [`import type { ${answers} } from '../answers.ts'`] : []),
    "import type { PlatformCallOptions } from '../calls.ts'",
    importOf(errors, '../errors.ts'),
    '',
    `/** ${comment} */`,
    `export interface ${name} {\n${text}\n}\n`,
  ].join('\n')
}

function importOf(names: readonly unknown[], path: string): string {
  const line = `import type { ${names.join(', ')} } from '${path}'`
  return line.length <= MAX_WIDTH
    ? line
    : `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${path}'`
}

function method(name: string, operation: Operation, documentation: readonly string[], result: string): string {
  const parameters = [
    `request${needsRequest(operation) ? '' : '?'}: Request<Operations['${name}']>`,
    `options?: PlatformCallOptions<Operations['${name}']>`,
  ]
  const line = `  ${name}(${parameters.join(', ')}): ${result}`
  const lines =
    line.length <= MAX_WIDTH ? [line] : [`  ${name}(`, ...parameters.map((one) => `    ${one},`), `  ): ${result}`]
  const comment = documentation.join('\n').replaceAll('*/', '*\\/').split('\n')
  return ['  /**', ...comment.map((text) => `   * ${text}`.trimEnd()), '   */', ...lines].join('\n')
}

const needsRequest = (operation: Operation) =>
  argumentsInPath(operation).length > 0 ||
  [operation.query, operation.body].some((schema) => schema && !schema.safeParse({}).success)

function documentationOf(name: string, operation: Operation): string[] {
  const { summary, limits = [], method: verb, path, credentials = 'project', repeatable } = operation
  const facts = flagsOf(operation).flatMap((flag) => {
    const fact = describeArgument(flag)
    return fact ? [`- \`${flag.path.join('.')}\`: ${fact}`] : []
  })
  const retries = repeatable ? '' : ' After a lost answer, it is repeated only with `adopt`.'
  return [
    summary,
    '',
    ...(limits.length > 0 ? ['Limits:', ...limits.map((limit) => `- ${limit}`), ''] : []),
    `\`${verb} ${path}\`, signed by the ${credentials}.${retries}`,
    '',
    ...(facts.length > 0 ? ['@param request', ...facts] : []),
    ...errorsOf(name, operation),
    ...exampleOf(callOf(name, operation)),
  ]
}

/** The status precedes the link, because TypeScript reads `{` after `@throws` as a type and breaks the link. */
const errorsOf = (name: string, { errors }: Operation) => [
  ...(clientErrors[name] ?? []),
  ...Object.entries(errors).map(
    ([status, cause]) => `@throws ${status} {@link ${classify(Number(status)).errorClass.name}}: ${cause}`,
  ),
]

const exampleOf = (code: string) => ['@example', '```ts', code, '```']

function callOf(name: string, operation: Operation): string {
  const variable = variableOf(operation)
  return `${variable && `const ${variable} = `}await client.${name}(${argumentOf(operation)})`
}

const argumentOf = ({ example: { request } }: Operation) => (Object.keys(request).length === 0 ? '' : literal(request))

/** Names the result of an operation after the id of its schema. */
function variableOf({ success: { response } }: Operation): string {
  if (!response) return ''
  if (response instanceof z.ZodObject && 'items' in response.shape) return '{ count, items }'
  if (!(response instanceof z.ZodArray)) return nameOf(response)
  const item = nameOf(response.element as z.ZodType)
  return response.def.checks?.length ? `[${item}]` : `${item}s`
}

const nameOf = (schema: z.ZodType) => (schema.meta()?.id ?? 'answer').replace(/^./, (letter) => letter.toLowerCase())

const capitalized = (resource: string) => resource.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
