/** What these pages read of an OpenAPI 3.1 document. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses?: Readonly<Record<string, Body>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

interface Body {
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** Levels of nested fields that a table has. Deeper ones are in the OpenAPI document. */
const MAX_DEPTH = 4

/** Returns the operations of a document, in its order, with the heading of each. */
export const operationsOf = ({ paths }: ApiDocument) =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method, operation, heading: `${method.toUpperCase()} ${path}` }] : []
    }),
  )

/** Renders an OpenAPI document as one page, in sections by tag, or by the first part of the path. */
export function renderApi(document: ApiDocument, download: string): string {
  const { info } = document
  const groups = Object.entries(Object.groupBy(operationsOf(document), groupOf))
  const sections = groups.flatMap(([group, operations = []]) => [
    `## ${group}`,
    ...operations.map((one) => renderOperation(one, document)),
  ])
  return [
    '::: v-pre',
    `# ${info.title}`,
    info.description ?? '',
    `The same as an OpenAPI document: <a href="${download}" target="_blank">${download.slice(1)}</a>.`.replace(
      /<a href="(.*?)".*?>(.*?)<\/a>/,
      '[$2]($1)',
    ),
    ...sections,
    ':::\n',
  ]
    .filter(Boolean)
    .join('\n\n')
}

const groupOf = ({ path, operation: { tags = [] } }: ReturnType<typeof operationsOf>[number]) => {
  const [first = ''] = path
    .split('/')
    .filter((part) => part && !/^(v\d|project|partner|\{apiKey\}|\{.*|\..*)$/.test(part))
  return tags[0] ?? `${first.charAt(0).toUpperCase()}${first.slice(1)}`
}

function renderOperation(
  { heading, operation }: ReturnType<typeof operationsOf>[number],
  document: ApiDocument,
): string {
  const { summary = '', description = '', security = [], parameters = [], requestBody, responses = {} } = operation
  const roles = security.flatMap((one) => Object.values(one).flat())
  const bodies = Object.entries(requestBody?.content ?? {})
  const answers = Object.entries(responses)
  return [
    `### ${heading}`,
    prose(summary),
    prose(description),
    roles.length > 0 ? `Role: ${roles.map(code).join(', ')}.` : '',
    table(
      ['Parameter', 'In', '', 'Description'],
      parameters.map(({ name, in: place, required, schema = {}, description: text = '' }) => [
        code(name),
        place,
        required ? 'required' : '',
        [text, valuesOf(schema, document)].filter(Boolean).join(' '),
      ]),
    ),
    ...bodies.flatMap(([type, { schema, example }]) => [
      `**Body**, \`${type}\`:`,
      schema ? renderFields(schema, document) : '',
      example === undefined ? '' : fence(example),
    ]),
    '**Answers**:',
    table(
      ['Status', 'Description'],
      answers.map(([status, { description: text = '' }]) => [code(status), text]),
    ),
    ...answers.flatMap(([status, { content = {} }]) =>
      status.startsWith('2')
        ? Object.values(content).flatMap(({ schema, example }) => [
            schema ? renderFields(schema, document) : '',
            example === undefined ? '' : fence(example),
          ])
        : [],
    ),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const renderFields = (schema: Schema, document: ApiDocument): string =>
  table(['Field', 'Type', '', 'Description'], fieldsOf(schema, document, '', 0))

/** Lists the fields of a schema, those of objects in it below them. */
function fieldsOf(given: Schema, document: ApiDocument, prefix: string, depth: number): string[][] {
  const schema = resolved(given, document)
  const { properties = {}, required = [], items } = schema
  if (items) return fieldsOf(items, document, `${prefix}[]`, depth)
  const options = alternativesOf(schema)
  if (options.length > 0) return uniqueFields(options.flatMap((option) => fieldsOf(option, document, prefix, depth)))
  return Object.entries(properties).flatMap(([name, one]) => {
    const path = prefix ? `${prefix}.${name}` : name
    const field = resolved(one, document)
    const text = [one.description ?? field.description ?? '', valuesOf(one, document)].filter(Boolean).join(' ')
    return [
      [code(path), typeOf(field, document), required.includes(name) ? 'required' : '', text],
      ...(depth < MAX_DEPTH ? fieldsOf(field, document, path, depth + 1) : []),
    ]
  })
}

const uniqueFields = (rows: string[][]): string[][] => [...new Map(rows.map((row) => [row[0], row])).values()]

const alternativesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? []

function resolved(schema: Schema, { components }: ApiDocument): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components?.schemas?.[name] ?? {})
}

function typeOf(given: Schema, document: ApiDocument): string {
  const schema = resolved(given, document)
  const options = alternativesOf(schema)
  if (options.length > 0) return [...new Set(options.map((option) => typeOf(option, document)))].join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items, document)}`
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  return [schema.type ?? 'any'].flat().join(' or ')
}

/** Describes which values a field has, and its default. */
function valuesOf(given: Schema, document: ApiDocument): string {
  const schema = resolved(given, document)
  const values = schema.enum ? `One of ${schema.enum.map((value) => code(String(value))).join(', ')}.` : ''
  const preset = given.default ?? schema.default
  return [values, preset === undefined ? '' : `Default: ${code(JSON.stringify(preset))}.`].filter(Boolean).join(' ')
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map((row) => line(row.map(inCell)))].join('\n')
}

const inCell = (text: string) => prose(text).replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Escapes angle brackets outside of code, which are not tags. */
const prose = (text: string) =>
  text
    .split(/(`[^`]*`)/)
    .map((piece, index) => (index % 2 ? piece : piece.replaceAll('<', '\\<')))
    .join('')

const code = (text: string) => `\`${text}\``

const fence = (value: unknown) =>
  typeof value === 'string' ? `\`\`\`\n${value}\n\`\`\`` : `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
