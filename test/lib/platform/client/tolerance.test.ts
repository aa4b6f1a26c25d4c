import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { Archive } from '../../../../lib/platform/client/answers.ts'
import { createPlatformClient } from '../../../../lib/platform/client/client.ts'
import { defaultOf } from '../../../../lib/platform/client/lenient-parsing.ts'
import type { LeftOut } from '../../../../lib/platform/client/outcomes.ts'
import { broadcast } from '../../../../lib/platform/contract/broadcasts.ts'
import type { Operation } from '../../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../../lib/platform/contract/operations/operations.ts'

/** Creates a client of a platform that answers every request with this body. */
function answering(body: unknown) {
  const leftOut: LeftOut[] = []
  const client = createPlatformClient({
    baseUrl: 'https://platform.example.com',
    insightsUrl: 'https://insights.example.com',
    ...{ apiKey: '100001', apiSecret: 'secret', account: { key: '42', secret: 'secret' } },
    fetch: async () => (typeof body === 'string' ? new Response(body) : Response.json(body)),
    onLeftOut: (one) => leftOut.push(one),
  })
  const call = (name: OperationName) => {
    const operation: Operation = operations[name]
    return (client[name] as (request: object) => Promise<unknown>)(operation.example.request)
  }
  return { client, call, leftOut }
}

type Path = readonly (string | number)[]

interface Field {
  readonly path: Path
  /** True if an answer without it is an error. */
  readonly isNeeded: boolean
}

/** Returns every field of an answer, including those in the lists and objects of the example. */
function fieldsOf(schema: z.ZodType, example: unknown, path: Path = []): Field[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldsOf(schema.def.innerType as z.ZodType, example, path)
  if (schema instanceof z.ZodArray && Array.isArray(example))
    return example.flatMap((item, index) => fieldsOf(schema.def.element as z.ZodType, item, [...path, index]))
  if (!(schema instanceof z.ZodObject) || typeof example !== 'object' || example === null) return []
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner = [...path, name]
    const isOptional = [undefined, null].some((value) => field.safeParse(value).success)
    const isNeeded = !isOptional && defaultOf(field) === undefined
    return [{ path: inner, isNeeded }, ...fieldsOf(field, (example as Record<string, unknown>)[name], inner)]
  })
}

/** Returns a copy in which the field has another value, or is absent. */
function changed(body: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(body)
  const holder = path.slice(0, -1).reduce((one, name) => (one as Record<string, unknown>)?.[name], copy) as
    | Record<string, unknown>
    | undefined
  const last = path.at(-1)
  if (typeof holder !== 'object' || holder === null || last === undefined) return copy // an earlier change replaced the holder
  if (value === undefined) delete holder[last]
  else holder[last] = value
  return copy
}

const valueAt = (body: unknown, path: Path) =>
  path.reduce((one, name) => (one as Record<string, unknown> | undefined)?.[name], body)

const cases = Object.entries<Operation>(operations).flatMap(([name, { success, example }]) =>
  success.response
    ? [{ name: name as OperationName, body: example.response, fields: fieldsOf(success.response, example.response) }]
    : [],
)
/** stopBroadcast answers in seconds. */
const inOneUnit = (value: unknown) => (typeof value === 'number' && value > 1e12 ? value / 1000 : value)
const isOfList = (path: Path) => path[0] === 'items' && path.length > 1
const odd = fc.constantFrom<unknown>(undefined, null, '', 7, 'seven', true, [], {}, [7], { seven: 7 }, '7', 1.5)

describe.each(cases)('an answer of $name', ({ name, body, fields }) => {
  const needed = fields.filter(({ isNeeded }) => isNeeded)
  const unneeded = fields.filter(({ isNeeded }) => !isNeeded)

  it('is parsed with any values of optional and unknown fields', async () => {
    const changes = fc.uniqueArray(fc.tuple(fc.constantFrom(...unneeded, { path: ['unknownField'] }), odd), {
      minLength: 1,
      selector: ([{ path }]) => path.join('.'),
    })
    await fc.assert(
      fc.asyncProperty(changes, async (chosen) => {
        const sent = chosen.reduce((one, [{ path }, value]) => changed(one, path, value), body)
        const answer = await answering(sent).call(name)
        for (const { path } of needed) {
          const whole = valueAt(sent, path)
          if (typeof whole === 'object') continue
          expect(String(inOneUnit(valueAt(answer, path)))).toBe(String(inOneUnit(whole)))
        }
      }),
      { numRuns: 60, seed: 14 },
    )
  })

  it.each(needed.filter(({ path }) => !isOfList(path) && name !== 'listProjects'))(
    'is rejected without $path',
    async ({ path }) => {
      for (const value of [undefined, ...(path.at(-1) === 'items' ? [] : [null]), {}]) {
        if (typeof valueAt(body, path) === 'object' && value !== undefined) continue
        await expect(answering(changed(body, path, value)).call(name)).rejects.toMatchObject({
          name: 'PlatformResponseError',
          message: expect.stringContaining(`(${path.join('.')}: `),
        })
      }
    },
  )
})

describe('a client', () => {
  const [archive, session, live] = [
    operations.getArchive.example.response,
    operations.createSession.example.response[0],
    operations.startBroadcast.example.response,
  ]

  it('creates a session although the answer lacks fields that callers ignore', async () => {
    const { session_id } = session
    expect(await answering([{ session_id, project_id: 100001, media_server_url: null }]).call('createSession')).toEqual(
      [{ session_id, project_id: '100001', create_dt: '', media_server_url: '' }],
    )
  })

  it('keeps an enum value that the contract does not list', async () => {
    const { client, leftOut } = answering({ ...archive, status: 'transcoding', outputMode: 'layered' })
    const { status, outputMode } = await client.getArchive({ archiveId: 'a' })
    expect([status, outputMode, leftOut]).toEqual(['transcoding', 'layered', []])
    expectTypeOf(status).toEqualTypeOf<Archive['status']>()
    expectTypeOf<'transcoding'>().toExtend<Archive['status']>()
  })

  it('takes no number for an enum value: the answer is garbled', async () => {
    const { client } = answering({ ...live, id: 36, status: 7 })
    await expect(client.getBroadcast({ broadcastId: 'a' })).rejects.toMatchObject({ name: 'PlatformResponseError' })
  })

  it('converts between numbers and strings', async () => {
    const { client } = answering({ ...archive, name: 7, size: '6291456', duration: '59.6', hasAudio: 'false' })
    const read = await client.getArchive({ archiveId: 'a' })
    expect(read).toMatchObject({ name: '7', size: 6_291_456, duration: 60, hasAudio: false })
  })

  it('leaves out values that it cannot parse, and reports their paths without the values', async () => {
    const broadcastUrls = { hls: null, hlsStatus: ['live'], rtmp: { one: { status: 'live' }, two: 'hush' } }
    const { client, leftOut } = answering({ ...live, broadcastUrls, settings: { hls: { dvr: true } }, updatedAt: null })
    expect(await client.getBroadcast({ broadcastId: 'a' })).toMatchObject({
      broadcastUrls: { rtmp: [{ id: 'one', status: 'live', serverUrl: '', streamName: '' }] },
      settings: { hls: { dvr: true, lowLatency: false } },
      updatedAt: live.createdAt,
    })
    expect(leftOut).toEqual([
      {
        operation: 'getBroadcast',
        values: [
          { path: 'broadcastUrls.hlsStatus', problem: expect.any(String) },
          { path: 'broadcastUrls.rtmp.two', problem: expect.any(String) },
        ],
      },
    ])
    expect(JSON.stringify(leftOut)).not.toContain('hush')
  })

  it('skips and counts list items that it cannot parse', async () => {
    const foreign = { ...archive, id: null }
    const { client, leftOut } = answering({ count: 3, items: [foreign, archive, 'none'] })
    expect(await client.listArchives()).toMatchObject({ count: 3, items: [{ id: archive.id }], skipped: 2 })
    expect(leftOut.flatMap(({ values }) => values.map(({ path }) => path))).toEqual(['items.0.id', 'items.2'])
    expect(await answering({ count: 0, items: null }).client.listArchives()).toMatchObject({ items: [] })
  })

  it('continues after a page without any item that it can parse', async () => {
    const pages = [[null, null], [archive]]
    const offsets: (string | null)[] = []
    const client = createPlatformClient({
      ...{ baseUrl: 'https://platform.example.com', apiKey: '100001', apiSecret: 'secret' },
      fetch: async (url) => {
        offsets.push(new URL(String(url)).searchParams.get('offset'))
        return Response.json({ count: 3, items: pages.shift() ?? [] })
      },
    })
    const found = await Array.fromAsync(client.each.listArchives({ count: 2 }))
    expect([found.map(({ id }) => id), offsets]).toEqual([[archive.id], ['0', '2']])
  })

  it('accepts an empty body if the answer has no required field', async () => {
    expect(await answering('').call('setUploadTarget')).toEqual({})
    await expect(answering('').call('getArchive')).rejects.toThrow(/empty body instead of JSON \(id: /)
  })

  it('keeps the contract as strict as the documented interface', () => {
    expect(broadcast.safeParse({ ...live, updatedAt: null }).success).toBe(false)
  })
})
