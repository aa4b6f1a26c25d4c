import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { describeApi } from '../../../bin/docs/showrunner-api.ts'
import { apiRoutes, type RouteDefinition } from '../../../lib/api/api.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { describePlatform, jsonSchemaOf } from '../../../lib/platform/contract/operations/openapi.ts'
import { operations } from '../../../lib/platform/contract/operations/operations.ts'
import { findMalformation } from '../../../lib/show/document/json-guard.ts'
import { show } from '../../../lib/show/document/show.ts'
import { randomShow } from '../../../local/simulation/generator/show.ts'
import { createRandom } from '../../../local/simulation/scheduling/random.ts'
import { compilerOf, type Definitions, type JsonSchema } from '../../support/schemas/json-schemas.ts'
import { valuesOf } from '../../support/schemas/values.ts'

interface Subject {
  readonly name: string
  readonly zod: z.ZodType
  readonly schema: JsonSchema
  readonly definitions: Definitions
}

/** What JSON Schema cannot say, by the message of the refusal, and the words that describe the rule instead. */
const unsayable: readonly (readonly [message: RegExp, description: RegExp])[] = [
  [/is used twice|ids must be unique/, /Unique within/],
  [/must(?: have at most| not be longer than) \d+ bytes/, /at most \d+ bytes/i],
  [/must be before the end of the show/, /before the end of the show/],
  [
    /names no (recording|broadcast) of the show|must name a recording with outputMode/,
    /Name of the (recording|broadcast)/,
  ],
  [/must be at least \d+ s (after|before)/, /at least \d+ after from, before the next pause/],
  [/must be true in a show of/, /Must be true in a (longer )?show/],
  [/must be a time zone/, /IANA database/],
  [/has another offset than|does not exist in|in the years 1970 to 2199/, /a local time .* or one with an offset/],
  [/has no valid |never occurs/, /in the form of EventBridge Scheduler/],
  [/must have the transport udp/, /transport is udp/],
  [/must not be blank/, /one line/],
]

type Issue = z.core.$ZodIssue

/** Returns the messages of issues that JSON Schema could say. Of a union, every form must have one. */
function sayable(issues: readonly Issue[]): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      const forms = issue.errors.map(sayable)
      return forms.some((form) => form.length === 0) ? [] : forms.flat()
    }
    return unsayable.some(([message]) => message.test(issue.message))
      ? []
      : [`${issue.path.join('.')}: ${issue.message}`]
  })
}

const api = JSON.parse(JSON.stringify(describeApi()))
const platform = JSON.parse(JSON.stringify(describePlatform()))

function bodiesOf(document: typeof api, routes: readonly (readonly [method: string, path: string, body: unknown])[]) {
  return routes.flatMap(([method, path, body]): Subject[] => {
    const { operationId, requestBody } = document.paths[path][method.toLowerCase()]
    const [content] = Object.values(requestBody?.content ?? {}) as { schema: JsonSchema }[]
    if (!body || !content) return []
    return [
      { name: operationId, zod: body as z.ZodType, schema: content.schema, definitions: document.components.schemas },
    ]
  })
}

const routes = Object.entries(apiRoutes).map(([key, route]: [string, RouteDefinition]) => {
  const [method = '', path = ''] = key.split(' ')
  return [method, path, route.body] as const
})
const calls = Object.values(operations).map(({ method, path, body }: Operation) => [method, path, body] as const)
const fields = Object.entries(show.shape).map(
  ([name, zod]): Subject => ({ name: `show.${name}`, zod, schema: jsonSchemaOf(zod) as JsonSchema, definitions: {} }),
)
const subjects = [...bodiesOf(api, routes), ...bodiesOf(platform, calls), ...fields]
/** The same values each time. */
const parameters = { seed: 1, numRuns: 40 }

describe('the JSON schemas of requests', () => {
  it.each(subjects)('accept for $name only what its zod schema accepts', ({ zod, schema, definitions }) => {
    fc.assert(
      fc.property(valuesOf(schema, { definitions }), (value) => {
        const { error } = zod.safeParse(value)
        expect(sayable(error?.issues ?? [])).toEqual([])
      }),
      parameters,
    )
  })

  it.each(subjects)('accept for $name all that its zod schema accepts', ({ zod, schema, definitions }) => {
    const validate = compilerOf(definitions)(schema)
    fc.assert(
      fc.property(valuesOf(schema, { definitions, isLoose: true }), (value) => {
        if (findMalformation(value) || !zod.safeParse(value).success) return
        expect(validate(value) ? [] : validate.errors).toEqual([])
      }),
      parameters,
    )
  })

  it('accept the shows of 200 seeds of the simulation', () => {
    const validate = compilerOf({})(jsonSchemaOf(show) as JsonSchema)
    for (let seed = 1; seed <= 200; seed += 1)
      expect(validate(randomShow(createRandom(seed, 'show'), Date.UTC(2030, 0, 1))) ? [] : validate.errors).toEqual([])
  })

  it.each(unsayable)('describe the rule of %s', (_message, description) => {
    expect(JSON.stringify([api, platform])).toMatch(description)
  })
})
