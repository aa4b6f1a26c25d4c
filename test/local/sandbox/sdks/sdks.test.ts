import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { joinSession } from '../../../../local/sandbox/participants/client.ts'
import { type SandboxServer, startSandbox } from '../../../../local/sandbox/server.ts'
import { readRecordedRequests, sendRecorded } from './recorded-requests.ts'
import { sdks } from './sdk-tokens.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

let server: SandboxServer
beforeAll(async () => {
  server = await startSandbox({ media: createMediaOff(realClock), authHeaders: ['X-OPENTOK-AUTH'] })
})
afterAll(() => server.close())

const partsOf = (sessionId: string) => {
  const { apiKey: key, apiSecret: secret } = server
  return { key, secret, sessionId, now: Math.floor(Date.now() / 1000) }
}

/** Creates the values of the placeholders in an SDK's requests, with a participant in the session. */
async function valuesFor(sdk: string, sessionId: string): Promise<Record<string, string>> {
  const response = await fetch(`${server.url}/sandbox/sessions/${sessionId}/participants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.controlToken}` },
    body: '{"name":"Ada"}',
  })
  const { connectionId: connection, streamId: stream } = (await response.json()) as Record<string, string>
  const parts = partsOf(sessionId)
  const { token = () => '', t1 = () => '' } = sdks[sdk] ?? {}
  return {
    session: sessionId,
    connection: String(connection),
    stream: String(stream),
    token: token(parts),
    t1: t1(parts),
  }
}

describe.each(Object.keys(sdks))('the SDK of %s', (sdk) => {
  it('gets the answers that it expects', async () => {
    let values: Record<string, string> = { key: server.apiKey }
    for (const recorded of readRecordedRequests(sdk)) {
      const auth = sdks[sdk]?.auth(partsOf(''))
      const { status, text } = await sendRecorded(server.url, recorded, { ...values, ...(auth && { auth }) })
      expect([recorded.name, status, text]).toEqual([recorded.name, recorded.status, expect.any(String)])
      const [created] = recorded.path === '/session/create' ? (/[12]_[\w-]{20,}/.exec(text) ?? []) : []
      if (created) values = { ...values, ...(await valuesFor(sdk, created)) }
      if (created || status === 204) continue
      const body = JSON.parse(text) // where there is nothing to say it is {}: Go and PHP decode it
      if (recorded.keeps) values[recorded.keeps] = body.id
      if (/\/(archive|broadcast)(\/\{\w+\}(\/stop)?)?$/.test(recorded.path))
        expect([recorded.name, body]).toEqual([
          recorded.name,
          expect.objectContaining({
            id: expect.stringMatching(UUID),
            projectId: Number(server.apiKey),
            partnerId: Number(server.apiKey),
          }),
        ])
    }
  })

  it('creates tokens with which a participant can join', async () => {
    const [first] = readRecordedRequests(sdk)
    if (!first) throw new Error(`There are no requests of ${sdk}.`)
    const auth = String(sdks[sdk]?.auth(partsOf('')))
    const { text } = await sendRecorded(server.url, first, { key: server.apiKey, auth })
    const [sessionId = ''] = /[12]_[\w-]{20,}/.exec(text) ?? []
    const { token, t1 = token } = sdks[sdk] ?? {}
    for (const make of [token, t1]) {
      const client = await joinSession({ url: server.url, sessionId, token: String(make?.(partsOf(sessionId))) })
      expect(client.role).toBe('publisher')
      await client.leave()
    }
  })
})
