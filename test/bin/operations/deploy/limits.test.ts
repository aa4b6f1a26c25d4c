import { SFNClient } from '@aws-sdk/client-sfn'
import { afterEach, describe, expect, it } from 'vitest'
import { checkLimits, type LambdaLimits, lookAtLimits } from '../../../../bin/operations/deploy/limits.ts'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'

const least = { platform: { url: 'https://platform.example.com' }, identity: { issuer: 'https://issuer.example.com/' } }

let server: Listening | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A Lambda that answers with these bodies by path, or as it does who may not look. */
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
  return { asked, look: () => lookAtLimits('eu-west-1', client) }
}

describe('lookAtLimits', () => {
  it('reads the account’s concurrency, and looks through all functions for the largest', async () => {
    const { asked, look } = await lambda({
      '/2016-08-19/account-settings/': () => ({ AccountLimit: { ConcurrentExecutions: 10, TotalCodeSize: 1 } }),
      '/2015-03-31/functions/': (query) =>
        query.get('Marker') === 'next'
          ? { Functions: [{ MemorySize: 4_096 }, {}], NextMarker: null }
          : { Functions: [{ MemorySize: 128 }], NextMarker: 'next' },
    })
    expect(await look()).toEqual({ concurrency: 10, largest: 4_096 })
    expect(asked.sort()).toEqual([
      'GET /2015-03-31/functions/ true',
      'GET /2015-03-31/functions/ true',
      'GET /2016-08-19/account-settings/ true',
    ])
  })

  it('says in Lambda’s words why it may not look', async () => {
    const problem = 'User is not authorized to perform this.'
    const { look } = await lambda({})
    expect(await look()).toEqual({ concurrency: { problem }, largest: { problem } })
  })
})

describe('checkLimits', () => {
  const check = (settings: object, limits: Partial<LambdaLimits> = {}) => {
    const [memory, concurrency] = checkLimits(readSettings({ ...least, ...settings }), {
      ...{ concurrency: 10, largest: 128 },
      ...limits,
    })
    return { memory: [memory?.state, memory?.words], concurrency: [concurrency?.state, concurrency?.words] }
  }

  it('finds that the defaults fit a new account', () => {
    expect(check({})).toEqual({
      memory: ['ok', '3008 MB at most, which every account gives.'],
      concurrency: [
        'ok',
        'The account runs 10 functions at once, and a recording is published by up to 5: 2 side by side, more take turns.',
      ],
    })
  })

  it('warns of more memory than every account gives, unless the account has shown that it gives it', () => {
    const memory = { most: 5_120, tasks: { encodePiece: 5_120 } }
    expect(check({ memory }).memory).toEqual(['unknown', expect.stringContaining('asks for 5120 MB, and no API tells')])
    expect(check({ memory }, { largest: 6_000 }).memory[0]).toBe('ok')
    expect(check({ memory: { most: 5_120 } }).memory[0]).toBe('ok') // nothing asks for it
  })

  it('says which concurrency the account can bear', () => {
    expect(check({ concurrency: 5 }).concurrency).toEqual([
      'later',
      expect.stringMatching(/or set concurrency to 2\.$/),
    ])
    expect(check({ concurrency: 5 }, { concurrency: 1_000 }).concurrency[0]).toBe('ok')
    expect(check({}, { concurrency: { problem: 'No.' } }).concurrency).toEqual([
      'unknown',
      'The account’s limit was not looked at: No.',
    ])
  })

  it('refuses reservations that AWS would', () => {
    const reservedConcurrency = { api: 5, watch: 5 }
    expect(check({ reservedConcurrency }).concurrency).toEqual([
      'missing',
      expect.stringContaining('reservedConcurrency takes 10 of the 10 functions'),
    ])
    expect(check({ reservedConcurrency }, { concurrency: 110 }).concurrency[0]).toBe('ok')
  })
})
