import { describe, expect, it } from 'vitest'
import { openInsights } from './ask.ts'

describe('a query that is too expensive', () => {
  const refused = async (query: string) => {
    const { body } = await openInsights().ask(query)
    return body.errors.map(({ errorCode, message }: { errorCode: number; message: string }) => [errorCode, message])
  }

  it('is refused when it is too deep', async () => {
    const fields = `connections { resources { ${'publishers { resources { subscribers { resources { stream { streamId } } } } }'} } }`
    const fits = `{ project(projectId: 1) { sessionData { sessions { resources { meetings { resources { ${fields} } } } } } } }`
    expect(await refused(fits)).toEqual([[1015, expect.any(String)]])
    const nested = `{ __schema { types { ${'ofType { '.repeat(20)} name ${'} '.repeat(20)} } } }`
    expect(await refused(nested)).toEqual([[1004, 'Invalid parameters: the query is more than 20 fields deep.']])
  })

  it('is refused when it has too many fields, also by fragments of fragments', async () => {
    const many = Array.from({ length: 501 }, (_, index) => `f${index}: __typename`).join(' ')
    expect(await refused(`{ ${many} }`)).toEqual([
      [1004, 'Invalid parameters: the query asks for more than 500 fields.'],
    ])
    const levels = Array.from({ length: 40 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`)
    const bomb = `{ ...f0 } ${levels.join(' ')} fragment f40 on Query { __typename }`
    expect(await refused(bomb)).toEqual([[1004, 'Invalid parameters: the query asks for more than 500 fields.']])
  })

  it('is refused when it is too long or has cyclic fragments', async () => {
    expect(await refused(`{ ${'__typename '.repeat(5_000)} }`)).toEqual([[1022, expect.stringContaining('4000')]])
    expect(await refused('{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }')).toEqual([
      [1022, expect.stringContaining('within itself')],
    ])
    const circle = `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} } '.repeat(4)} } } }`
    expect(await refused(circle)).toEqual([[1022, expect.stringContaining('introspection depth')]])
  })

  it('is stopped when it needs too many computations', async () => {
    const { ask, apiKey } = openInsights()
    const often = (times: number) =>
      Array.from({ length: times }, (_, n) => `p${n}: projectData(start: 0) { totalCount }`).join(' ')
    expect((await ask(`{ project(projectId: ${apiKey}) { ${often(10)} } }`)).body.errors).toBeUndefined()
    const { errors } = (await ask(`{ project(projectId: ${apiKey}) { ${often(11)} } }`)).body
    expect(errors).toMatchObject([{ errorCode: 1004, path: ['project', 'p10'] }])
  })

  it('is stopped when its answer grows too large', async () => {
    const { createSession, join, wait, ask, apiKey } = openInsights()
    const sessionId = await createSession()
    await Promise.all(Array.from({ length: 9 }, () => join(sessionId)))
    await wait(5 * 3_600_000)
    const all = 'streamStatsCollection(first: 100000) { resources { createdAt } }'
    const { body } = await ask(
      `{ project(projectId: ${apiKey}) { sessionData { sessions(sessionIds: "${sessionId}") { resources { meetings { resources {
        subscribers { resources { ${all} } } } } } } } } }`,
    )
    expect(body.errors.at(-1)).toMatchObject({ errorCode: 1004, message: expect.stringContaining('25000 objects') })
    expect(body.data.project.sessionData.sessions).toBeNull()
  })
})
