import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import { showrunnerClientFiles } from '../../../bin/docs/showrunner-client.ts'
import type { apiRoutes, RouteKey } from '../../../lib/api/api.ts'
import type { DeletedRecording, Recording } from '../../../lib/client/documents.ts'
import type { Listing } from '../../../lib/client/listing.ts'
import { routes } from '../../../lib/client/methods/routes.ts'
import type { Showrunner } from '../../../lib/client/showrunner.ts'

const api = JSON.parse(readFileSync(new URL('../../../docs/showrunner-api.json', import.meta.url), 'utf8'))

type Routes = typeof routes
type Group = keyof Routes

/** The key of a method's route, such as `GET /shows`. */
type KeyOf<Route> = Route extends { method: infer Method extends string; path: infer Path extends string }
  ? Extract<`${Method} ${Path}`, RouteKey>
  : never

/** The answer of a route, or the items of a list. */
type AnswerAt<Key extends RouteKey> = Key extends 'POST /shows'
  ? z.output<(typeof apiRoutes)['POST /shows']['answers'][202]>
  : (typeof apiRoutes)[Key]['answers'] extends Readonly<Record<number, infer Schema>>
    ? Schema extends z.ZodType
      ? z.output<Schema>
      : never
    : never
type Item<Answer> = Answer extends { items: (infer Item)[] } ? Exclude<Item, DeletedRecording> : never

type Result<Route> = Route extends { isList: true }
  ? Listing<Item<AnswerAt<KeyOf<Route>>>>
  : Promise<AnswerAt<KeyOf<Route>>>

type Results = { [G in Group]: { [Name in keyof Routes[G]]: Result<Routes[G][Name]> } }
type ResultsOfClient = {
  [G in Group]: {
    [Name in keyof Routes[G]]: Name extends keyof Showrunner[G]
      ? Showrunner[G][Name] extends (...given: never) => infer Returned
        ? Returned
        : never
      : never
  }
}

describe('routes', () => {
  it('have one method for each operation of the API, and no other', () => {
    const ofClient = Object.values(routes).flatMap((group) =>
      Object.values<{ method: string; path: string }>(group).map(({ method, path }) => `${method} ${path}`),
    )
    const ofApi = Object.entries<Record<string, object>>(api.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    // The video platform calls it, not an app.
    const others = ofApi.filter((route) => route !== 'POST /callbacks/{kind}')
    expect(ofClient.toSorted()).toEqual(others.toSorted())
  })

  it('say which operations take an Idempotency-Key, a body, a text and a query', () => {
    for (const group of Object.values(routes))
      for (const route of Object.values<{ method: string; path: string; takes?: string; isKeyed?: true }>(group)) {
        const { parameters, requestBody } = api.paths[route.path][route.method.toLowerCase()]
        const names = parameters.map(({ name }: { name: string }) => name)
        expect(route.isKeyed ?? false, route.path).toBe(names.includes('Idempotency-Key'))
        const [mediaType] = Object.keys(requestBody?.content ?? {})
        if (mediaType && mediaType !== 'application/json') expect(route).toMatchObject({ takes: 'text', mediaType })
        if (requestBody?.required && mediaType === 'application/json') expect(route.takes).toBe('body')
      }
  })

  it('answer what the schemas say', () => {
    expectTypeOf<ResultsOfClient>().toEqualTypeOf<Results>()
    expectTypeOf<Recording>().not.toEqualTypeOf<DeletedRecording>()
  })
})

describe('showrunnerClientFiles', () => {
  const texts = Object.entries(showrunnerClientFiles)
    .filter(([path]) => path.endsWith('-methods.ts'))
    .map(([path, render]) => [path, render()] as const)

  it.each(texts)('%s documents each method with a summary and an example', (_, text) => {
    const methods = [...text.matchAll(/ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}(\w+)\(/gs)]
    expect(methods.length).toBeGreaterThan(0)
    for (const [, comment = '', name] of methods) {
      expect(comment.split('\n')[1]).toMatch(/^ {3}\* [A-Z]\w+s /)
      expect(comment.split('\n')[1]).not.toMatch(/^ {3}\* \w+[aeiou]ies /)
      expect(comment).toMatch(new RegExp(`@example\n.*showrunner\\.\\w+\\.${name}\\(`, 's'))
    }
  })
})
