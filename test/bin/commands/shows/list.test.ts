import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordingsCommand } from '../../../../bin/commands/recordings/recordings.ts'
import { listCommand } from '../../../../bin/commands/shows/list.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { collectOutput } from '../../../support/stdout.ts'

let server: Listening
let asked: Record<string, string>
let output: ReturnType<typeof collectOutput>

/** An API without shows, which notes how it was filtered. */
beforeAll(async () => {
  server = await listen(async (request) => {
    asked = Object.fromEntries(new URL(request.url).searchParams)
    return Response.json({ items: [] })
  })
})
afterAll(() => server.close())
beforeEach(() => {
  vi.stubEnv('SHOWRUNNER_TOKEN', 'token')
  vi.stubEnv('TZ', 'Europe/Berlin')
  output = collectOutput()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('listCommand', () => {
  it('passes its filters to the API, with times in UTC', async () => {
    const filters = ['--status', 'failed', '--label', 'customer=c-7', '--series', 'tuesday']
    const times = ['--from', '2026-12-01', '--to', '2026-12-24T18:00']
    await listCommand().parseAsync(['--url', server.url, ...filters, ...times], { from: 'user' })
    expect(asked).toEqual({
      ...{ status: 'failed', label: 'customer=c-7', scheduleId: 'tuesday', limit: '20' },
      ...{ from: '2026-11-30T23:00:00.000Z', to: '2026-12-24T17:00:00.000Z' },
    })
    expect(output.stdout).toBe('No shows.\n')
  })
})

describe('listRecordingsCommand', () => {
  it('passes its filters to the API', async () => {
    const filters = ['--show', 'launch', '--label', 'customer=c-7']
    await recordingsCommand().parseAsync(['list', '--url', server.url, ...filters], { from: 'user' })
    expect(asked).toEqual({ showId: 'launch', label: 'customer=c-7', limit: '20' })
    expect(output.stdout).toBe('No recordings.\n')
  })
})
