import { SFNClient } from '@aws-sdk/client-sfn'
import { afterEach, describe, expect, it } from 'vitest'
import { checkLimits, type LambdaLimits, readLimits } from '../../../../bin/operations/deploy/limits.ts'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'

const minimal = {
  platform: { url: 'https://platform.example.com' },
  identity: { issuer: 'https://issuer.example.com/' },
}

let server: Listening | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A Lambda that answers with these bodies by path, and refuses other paths. */
async function lambda(answers: Readonly<Record<string, (query: URLSearchParams) => object>>) {
  const asked: string[] = []
  server = await listen(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    asked.push(
      `${request.method} ${pathname} ${request.headers.get('authorization')?.includes('/lambda/aws4_request')}`,
    )
    const answer = answers[pathname]
    if (answer) return Response.json(answer(searchParams))
    return Response.json({ Message: 'User is not authorized to perform this.' }, { status: 403 })
  })
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' }
  const client = new SFNClient({ region: 'eu-west-1', endpoint: server.url, credentials })
  return { asked, read: () => readLimits('eu-west-1', client) }
}

describe('readLimits', () => {
  it('reads the concurrency of the account and the size of its largest function', async () => {
    const { asked, read } = await lambda({
      '/2016-08-19/account-settings/': () => ({ AccountLimit: { ConcurrentExecutions: 10, TotalCodeSize: 1 } }),
      '/2015-03-31/functions/': (query) =>
        query.get('Marker') === 'next'
          ? { Functions: [{ MemorySize: 4_096 }, {}], NextMarker: null }
          : { Functions: [{ MemorySize: 128 }], NextMarker: 'next' },
    })
    expect(await read()).toEqual({ concurrency: 10, largest: 4_096 })
    expect(asked.sort()).toEqual([
      'GET /2015-03-31/functions/ true',
      'GET /2015-03-31/functions/ true',
      'GET /2016-08-19/account-settings/ true',
    ])
  })

  it('reports the message of Lambda if it is refused', async () => {
    const problem = 'User is not authorized to perform this.'
    const { read } = await lambda({})
    expect(await read()).toEqual({ concurrency: { problem }, largest: { problem } })
  })
})

describe('checkLimits', () => {
  const check = (settings: object, limits: Partial<LambdaLimits> = {}) => {
    const [memory, concurrency] = checkLimits(readSettings({ ...minimal, ...settings }), {
      concurrency: 10,
      largest: 128,
      ...limits,
    })
    return { memory: [memory?.state, memory?.message], concurrency: [concurrency?.state, concurrency?.message] }
  }

  it('passes the defaults in a new account', () => {
    expect(check({})).toEqual({
      memory: ['ok', '3008 MB at most, which every account allows.'],
      concurrency: [
        'ok',
        'The account runs 10 functions at once, and publishing a recording needs up to 5: 2 recordings at once, more wait.',
      ],
    })
  })

  it('warns of more memory than every account allows, unless the account has a function of that size', () => {
    const memory = { most: 5_120, tasks: { encodePiece: 5_120 } }
    expect(check({ memory }).memory).toEqual(['unknown', expect.stringContaining('needs 5120 MB, and no API reports')])
    expect(check({ memory }, { largest: 6_000 }).memory[0]).toBe('ok')
    expect(check({ memory: { most: 5_120 } }).memory[0]).toBe('ok') // no task needs it
  })

  it('recommends a concurrency for the account', () => {
    expect(check({ concurrency: 5 }).concurrency).toEqual([
      'later',
      expect.stringMatching(/or set concurrency to 2\.$/),
    ])
    expect(check({ concurrency: 5 }, { concurrency: 1_000 }).concurrency[0]).toBe('ok')
    expect(check({}, { concurrency: { problem: 'No.' } }).concurrency).toEqual([
      'unknown',
      'The limit of the account was not checked: No.',
    ])
  })

  it('refuses reservations that AWS refuses', () => {
    const reservedConcurrency = { api: 5, watch: 5 }
    expect(check({ reservedConcurrency }).concurrency).toEqual([
      'missing',
      expect.stringContaining('reservedConcurrency takes 10 of the 10 functions'),
    ])
    expect(check({ reservedConcurrency }, { concurrency: 110 }).concurrency[0]).toBe('ok')
  })
})
