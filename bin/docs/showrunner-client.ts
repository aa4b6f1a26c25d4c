import type { z } from 'zod'
import { apiRoutes, type RouteDefinition, type RouteKey } from '../../lib/api/api.ts'
import { apiExamples } from '../../lib/api/examples.ts'
import { type ProblemType, problemTypes } from '../../lib/api/problem-types.ts'
import { routeDescriptions } from '../../lib/api/route-descriptions.ts'
import { type JsonSchema, jsonSchemaOf } from '../../lib/platform/contract/operations/openapi.ts'
import { literal } from './literal.ts'

interface Method {
  readonly route: RouteKey
  /** Name and type of the body. */
  readonly body?: readonly [name: string, type: string]
  /** Type of the answer, or of the items of a list. */
  readonly answer: string
}

const control = (route: RouteKey, ...body: [name: string, type: string] | []): Method => ({
  route,
  ...(body.length > 0 && { body: body as [string, string] }),
  answer: 'Control',
})

/** The methods of Showrunner's client by resource, each with the route that it calls. */
const resources: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  shows: {
    start: { route: 'POST /shows', body: ['show', 'ShowDocument'], answer: 'AcceptedShow' },
    list: { route: 'GET /shows', answer: 'ShowSummary' },
    get: { route: 'GET /shows/{id}', answer: 'Show' },
    edit: { route: 'PUT /shows/{id}', body: ['show', 'ShowDocument'], answer: 'Show' },
    getQuality: { route: 'GET /shows/{id}/quality', answer: 'Quality' },
    streams: { route: 'GET /shows/{id}/streams', answer: 'SessionStreams' },
    events: { route: 'GET /shows/{id}/events', answer: 'ShowEvents' },
    execution: { route: 'GET /shows/{id}/execution', answer: 'ShowExecution' },
    cost: { route: 'GET /shows/{id}/cost', answer: 'ShowCost' },
    deliveries: { route: 'GET /shows/{id}/deliveries', answer: 'Deliveries' },
    replay: { route: 'POST /shows/{id}/deliveries/{deliveryId}/replay', answer: 'Replay' },
    unschedule: { route: 'DELETE /shows/{id}', answer: 'UnscheduledShow' },
    invite: { route: 'POST /shows/{id}/invitations', body: ['participant', 'InvitationOrder'], answer: 'Invitation' },
    revokeInvitations: { route: 'DELETE /shows/{id}/invitations', answer: 'RevokedInvitations' },
  },
  executions: { redrive: { route: 'POST /shows/{id}/execution/redrive', answer: 'Redrive' } },
  controls: {
    change: control('PATCH /shows/{id}', 'change', 'ShowChange'),
    stop: control('POST /shows/{id}/stop'),
    signal: control('POST /shows/{id}/signals', 'signal', 'Signal'),
    mute: control('POST /shows/{id}/mute', 'mute', 'Mute'),
    setLayoutClasses: control('POST /shows/{id}/layout-classes', 'classes', 'LayoutClasses'),
    playTones: control('POST /shows/{id}/tones', 'tones', 'Tones'),
    disconnect: control('POST /shows/{id}/disconnect', 'disconnection', 'Disconnection'),
    addDialIn: control('POST /shows/{id}/dial-ins', 'dialIn', 'DialIn'),
    addBroadcast: control('POST /shows/{id}/broadcasts', 'broadcast', 'Broadcast'),
    pauseRecording: control('POST /shows/{id}/recordings/{name}/pause'),
    setMarker: control('POST /shows/{id}/markers', 'marker', 'Marker'),
    resumeRecording: control('POST /shows/{id}/recordings/{name}/resume'),
  },
  broadcasts: { stop: control('POST /shows/{id}/broadcasts/{name}/stop') },
  tokens: {
    create: { route: 'POST /shows/{id}/tokens', body: ['participant', 'TokenOrder'], answer: 'ClientToken' },
    exchange: { route: 'POST /public/join', body: ['invitation', 'JoinOrder'], answer: 'Admission' },
  },
  recordings: {
    list: { route: 'GET /recordings', answer: 'Recording' },
    get: { route: 'GET /recordings/{archiveId}', answer: 'Recording' },
    getPublic: { route: 'GET /public/recordings/{archiveId}', answer: 'PublicRecording' },
    delete: { route: 'DELETE /recordings/{archiveId}', answer: 'Deletion' },
    restore: { route: 'POST /recordings/{archiveId}/restore', answer: 'Restoration' },
    acceptFile: { route: 'POST /recordings/{archiveId}/accept', body: ['file', 'WithheldFile'], answer: 'Judgement' },
    rejectFile: { route: 'POST /recordings/{archiveId}/reject', body: ['file', 'WithheldFile'], answer: 'Judgement' },
    revokeLinks: { route: 'POST /recordings/{archiveId}/revoke', answer: 'Revocation' },
    rebuild: { route: 'POST /recordings/{archiveId}/rebuild', body: ['order', 'RebuildOrder'], answer: 'Rebuild' },
    listWaiting: { route: 'GET /publishing', answer: 'WaitingPublishes' },
    putCaptions: { route: 'PUT /recordings/{archiveId}/captions/{language}', answer: 'Captions' },
    deleteCaptions: { route: 'DELETE /recordings/{archiveId}/captions/{language}', answer: 'Captions' },
  },
  clips: {
    create: { route: 'POST /recordings/{archiveId}/clips', body: ['clip', 'ClipOrder'], answer: 'Clip' },
    list: { route: 'GET /recordings/{archiveId}/clips', answer: 'Clips' },
    get: { route: 'GET /recordings/{archiveId}/clips/{clipId}', answer: 'Clip' },
    delete: { route: 'DELETE /recordings/{archiveId}/clips/{clipId}', answer: 'DeletedClip' },
    createLive: { route: 'POST /shows/{id}/clips', body: ['clip', 'ShowClipOrder'], answer: 'ShowClip' },
    listLive: { route: 'GET /shows/{id}/clips', answer: 'ShowClips' },
    getLive: { route: 'GET /shows/{id}/clips/{clipId}', answer: 'ShowClip' },
    deleteLive: { route: 'DELETE /shows/{id}/clips/{clipId}', answer: 'DeletedShowClip' },
  },
  usage: { get: { route: 'GET /usage', answer: 'Usage' } },
  events: { getKeys: { route: 'GET /.well-known/jwks.json', answer: 'EventKeys' } },
}

/** The tag of each resource: its purpose, as a sentence. */
const tags: Readonly<Record<string, string>> = {
  shows: 'Start, schedule, list and read shows.',
  executions: 'Redrive interrupted executions of shows.',
  controls: 'Control a show while it runs. Each control is an entry of its timeline.',
  broadcasts: 'Take single broadcasts of a live show off the air.',
  tokens: 'Admit participants to the session of a show.',
  recordings: 'Find, publish, caption, delete and restore the recordings of shows.',
  clips: 'Cut moments out of published recordings and live shows.',
  usage: 'Read what the platform project has used.',
  events: 'Verify the callbacks that event apps receive.',
}

/** The resources of the API as tags of its description. */
export const resourceTags = Object.entries(tags).map(([one, description]) => ({ name: capitalized(one), description }))

/** Returns the tag of a route. */
export function tagOfRoute(route: RouteKey): string {
  const [name] = Object.entries(resources).find(([, methods]) =>
    Object.values(methods).some((method) => method.route === route),
  ) ?? ['']
  return capitalized(name)
}

/** Parameters that select another answer. The client has further methods for them. */
const OTHER_METHODS = ['dryRun', 'deleted']

/** The renderers of the interfaces and routes in `lib/client/methods`, by path. */
export const showrunnerClientFiles: Readonly<Record<string, () => string>> = Object.fromEntries([
  ...Object.keys(resources).map((resource) => {
    const one = resource.replace(/s$/, '')
    return [`lib/client/methods/${one}-methods.ts`, () => renderInterface(resource, one)]
  }),
  ['lib/client/methods/routes.ts', renderRoutes],
])

/** The line width of the formatter. */
const MAX_WIDTH = 120
const HEADER = '// Generated from lib/api by `npm run docs`: change it there.'

function renderRoutes(): string {
  const table = Object.entries(resources).map(([resource, methods]) => {
    const lines = Object.entries(methods).map(([name, method]) => objectOf(name, entryOf(method)))
    return `  ${resource}: {\n${lines.join('')}  },\n`
  })
  return `${HEADER}\n\n/** The route of each method. */\nexport const routes = {\n${table.join('')}} as const\n`
}

function objectOf(name: string, entry: object): string {
  const fields = Object.entries(entry).map(([key, value]) => `${key}: ${value === true || `'${value}'`}`)
  const line = `    ${name}: { ${fields.join(', ')} },\n`
  return line.length <= MAX_WIDTH ? line : `    ${name}: {\n      ${fields.join(',\n      ')},\n    },\n`
}

function entryOf(method: Method): object {
  const { text, isKeyed, role }: RouteDefinition = apiRoutes[method.route]
  const [verb = '', path = ''] = method.route.split(' ')
  const argument = argumentOf(method)
  return {
    method: verb,
    path,
    ...(argument && { takes: argument.kind }),
    ...(text && { mediaType: text.mediaType }),
    ...(isKeyed && { isKeyed }),
    ...(isList(method) && { isList: true }),
    ...(role === 'anybody' && { isPublic: true }),
  }
}

interface Argument {
  readonly kind: 'query' | 'body' | 'text'
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
}

/** Returns the argument after those of the path. */
function argumentOf({ route, body }: Method): Argument | undefined {
  const { query, body: schema, text }: RouteDefinition = apiRoutes[route]
  if (text) return { kind: 'text', name: 'text', type: 'string', isOptional: false }
  if (body && schema) return { kind: 'body', name: body[0], type: body[1], isOptional: schema.safeParse({}).success }
  const fields = query ? fieldsOf(query) : []
  if (fields.length === 0) return undefined
  const type = fields.map(([name, field]) => `readonly ${name}?: ${typeOf(field)} | undefined`).join('; ')
  return { kind: 'query', name: 'query', type: `{ ${type} }`, isOptional: true }
}

const fieldsOf = (query: z.ZodType) =>
  Object.entries((jsonSchemaOf(query).properties ?? {}) as Record<string, JsonSchema>).filter(
    ([name]) => !OTHER_METHODS.includes(name),
  )

function typeOf({ type, enum: values }: JsonSchema): string {
  if (values?.join() === 'true,false') return 'boolean'
  return type === 'integer' ? 'number' : String(type ?? 'number')
}

const isList = ({ route }: Method) => {
  const { query }: RouteDefinition = apiRoutes[route]
  return query !== undefined && 'cursor' in query.shape
}

function renderInterface(resource: string, one: string): string {
  const methods = Object.entries(resources[resource] ?? {})
  const text = methods.map(([name, method]) => renderMethod(resource, name, method)).join('\n\n')
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort()
  const types = [...new Set(methods.flatMap(([, { body, answer }]) => [answer, ...(body ? [body[1]] : [])]))]
  return [
    HEADER,
    importOf(used(types), '../documents.ts'),
    importOf(used(['Listing']), '../listing.ts'),
    importOf(used(['CallOptions', 'KeyedOptions']), '../options.ts'),
    importOf(used(['ShowrunnerError']), '../showrunner-error.ts'),
    '',
    `/** Client methods of ${resource}. */`,
    `export interface ${capitalized(one)}Methods {\n${text}\n}\n`,
  ]
    .filter((line, index) => line !== '' || index === 5)
    .join('\n')
}

function importOf(names: readonly string[], path: string): string {
  if (names.length === 0) return ''
  const line = `import type { ${names.join(', ')} } from '${path}'`
  if (line.length <= MAX_WIDTH) return line
  return `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${path}'`
}

function renderMethod(resource: string, name: string, method: Method): string {
  const { isKeyed }: RouteDefinition = apiRoutes[method.route]
  const argument = argumentOf(method)
  const parameters = [
    ...placeholdersOf(method).map((placeholder) => `${placeholder}: string`),
    ...(argument ? [`${argument.name}${argument.isOptional ? '?' : ''}: ${argument.type}`] : []),
    `options?: ${isKeyed ? 'KeyedOptions' : 'CallOptions'}`,
  ]
  const result = isList(method) ? `Listing<${method.answer}>` : `Promise<${method.answer}>`
  const line = `  ${name}(${parameters.join(', ')}): ${result}`
  const lines = line.length <= MAX_WIDTH ? [line] : [`  ${name}(`, ...parameters.map(parameterLine), `  ): ${result}`]
  const comment = documentationOf(resource, name, method).join('\n').replaceAll('*/', '*\\/').split('\n')
  return ['  /**', ...comment.map((text) => `   * ${text}`.trimEnd()), '   */', ...lines].join('\n')
}

/** Returns the line of a parameter, or one line for each field of its type. */
function parameterLine(parameter: string): string {
  const line = `    ${parameter},`
  if (line.length <= MAX_WIDTH) return line
  return line.replace('{ ', '{\n      ').replaceAll('; ', '\n      ').replace(/ \},$/, '\n    },')
}

/** Names in paths, as literals of examples. */
const exampleNames: Readonly<Record<string, string>> = { language: `'en'`, name: `'program'` }

const placeholdersOf = ({ route }: Method) =>
  [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => (name === 'id' ? 'showId' : name))

function documentationOf(resource: string, name: string, method: Method): string[] {
  const { summary, role, query, text, problems = [] }: RouteDefinition = apiRoutes[method.route]
  const facts = (query ? fieldsOf(query) : []).map(([field, { description, default: value }]) => {
    const isShown = value !== undefined && value !== 'false'
    return `- \`${field}\`: ${description}${isShown ? ` Default: ${value}.` : ''}`
  })
  return [
    inThirdPerson(summary),
    '',
    routeDescriptions[method.route],
    '',
    `\`${method.route}\`${role === 'anybody' ? ', without a token.' : `, for the role ${role}.`}`,
    '',
    ...(facts.length > 0 ? ['@param query', ...facts] : []),
    ...(text ? [`@param text ${text.description}`] : []),
    ...problems.map(describeProblem),
    '@example',
    '```ts',
    ...exampleOf(resource, name, method),
    '```',
  ]
}

const describeProblem = (type: ProblemType) =>
  `@throws \`${type}\` (${problemTypes[type].status}) {@link ShowrunnerError}: ${problemTypes[type].meaning}`

/** Verbs of summaries that are not their first word. */
const FURTHER_VERBS = /(?<=^\w+ or |, and )(shorten|replace|make)\b/g

/** Turns the imperative of a summary into the form of a docstring: `Start a show` becomes `Starts a show`. */
const inThirdPerson = (summary: string) =>
  summary.replace(/^\w+/, conjugate).replace(FURTHER_VERBS, conjugate).replace(', change ', ', changes ')

const conjugate = (verb: string) =>
  verb
    .replace(/([^aeiou])y$/, '$1ie')
    .replace(/(sh|ch|s)$/, '$1e')
    .concat('s')

function exampleOf(resource: string, name: string, method: Method): string[] {
  const argument = argumentOf(method)
  const { body } = apiExamples[method.route]
  const given = [
    ...placeholdersOf(method).map((one) => exampleNames[one] ?? one),
    ...(argument && !argument.isOptional ? [literal(body)] : []),
  ]
  const call = `showrunner.${resource}.${name}(${given.join(', ')})`
  return isList(method)
    ? ['const found = []', `for await (const item of ${call}) found.push(item)`]
    : [`const answer = await ${call}`]
}

function capitalized(word: string): string {
  return word.replace(/^./, (letter) => letter.toUpperCase())
}
