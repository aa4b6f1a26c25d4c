import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { SignJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { realClock } from '../../../lib/clock.ts'
import { AUTH_HEADER } from '../../../lib/platform/contract/tokens.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import { startSandbox } from '../../../local/sandbox/server.ts'

describe('startSandbox', () => {
  it('serves on a free port of this machine until it is closed', async () => {
    const server = await startSandbox({ media: createMediaOff(realClock) })
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(server.apiKey).toMatch(/^[1-9]\d{7}$/)
    const response = await fetch(`${server.url}/v2/project/${server.apiKey}/archive`)
    expect(response.status).toBe(403)
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow()
  })

  it('reports a port in use', async () => {
    const server = await startSandbox({ media: createMediaOff(realClock) })
    const port = Number(new URL(server.url).port)
    await expect(startSandbox({ media: createMediaOff(realClock), port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use: stop what listens there or choose another.`,
    )
    await server.close()
  })

  it('refuses control requests under names of other machines', async () => {
    const server = await startSandbox({ media: createMediaOff(realClock) })
    const response = await fetch(`${server.url}/sandbox/sessions/none/participants`, {
      method: 'POST',
      headers: { origin: 'https://example.com' },
    })
    expect(response.status).toBe(403)
    await server.close()
  })

  it('requires the control token of this start on every control route, unless control is open', async () => {
    const server = await startSandbox({ media: createMediaOff(realClock) })
    onTestFinished(server.close)
    const status = async (path: string, authorization?: string) =>
      (await fetch(server.url + path, { ...(authorization && { headers: { authorization } }) })).status
    for (const path of [
      '/sandbox/clock',
      '/sandbox/faults',
      `/sandbox/projects/${server.apiKey}/callbacks`,
      '/sandbox/x',
    ])
      expect([path, await status(path)]).toEqual([path, 401])
    expect(await status('/sandbox/clock', 'Bearer none')).toBe(401)
    expect(await status('/sandbox/clock', `Bearer ${server.controlToken}`)).toBe(200)
    const other = await startSandbox({ media: createMediaOff(realClock), openControl: true })
    onTestFinished(other.close)
    expect(other.controlToken).toBeUndefined()
    expect((await fetch(`${other.url}/sandbox/clock`)).status).toBe(200)
  })

  it('returns all credentials, and the same ones again from the same directory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-server-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const open = async () => {
      const server = await startSandbox({ media: createMediaOff(realClock), directory })
      const { url, insightsUrl, apiKey, apiSecret, accountKey, accountSecret } = server
      expect(insightsUrl.startsWith(url)).toBe(true)
      await server.close()
      return { apiKey, apiSecret, accountKey, accountSecret }
    }
    const credentials = await open()
    for (const secret of [credentials.apiSecret, credentials.accountSecret]) expect(secret).toMatch(/^[0-9a-f]{40}$/)
    expect(credentials.accountKey).not.toBe(credentials.apiKey)
    expect(await open()).toEqual(credentials)
  })

  it.each(['refuse', 'dropBefore', 'dropAfter'] as const)('closes the connection on the fault %s', async (type) => {
    const server = await startSandbox({ media: createMediaOff(realClock) })
    onTestFinished(server.close)
    const create = async () => {
      const { status } = await fetch(`${server.url}/session/create`, {
        method: 'POST',
        headers: { connection: 'close' },
      })
      return status
    }
    server.faults.order({ operation: 'createSession', times: 2, fault: { type } })
    await expect(create()).rejects.toThrow('fetch failed')
    await expect(create()).rejects.toThrow('fetch failed')
    expect(await create()).toBe(403)
  })

  it('carries out a request whose answer a fault drops', async () => {
    const server = await startSandbox({ media: createMediaOff(realClock) })
    onTestFinished(server.close)
    const { url, accountKey, accountSecret, faults } = server
    const iat = Math.floor(Date.now() / 1000)
    const token = await new SignJWT({ iss: accountKey, ist: 'account', iat, exp: iat + 60 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(accountSecret))
    const call = (method: string) => fetch(`${url}/v2/project`, { method, headers: { [AUTH_HEADER]: token } })
    faults.order({ operation: 'createProject', fault: { type: 'dropBefore' } })
    faults.order({ operation: 'createProject', fault: { type: 'dropAfter' } })
    await expect(call('POST')).rejects.toThrow('fetch failed')
    await expect(call('POST')).rejects.toThrow('fetch failed')
    expect(await (await call('GET')).json()).toHaveLength(2) // its own, and the one of dropAfter
  })

  it('sends callbacks to another server of this machine', async () => {
    const got = Promise.withResolvers<{ method?: string; event: string; authorization: string }>()
    const receiver = createServer(async (request, response) => {
      const { event } = (await json(request)) as { event: string }
      const { authorization = '' } = request.headers
      got.resolve({ method: request.method ?? '', event, authorization })
      response.end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void receiver.close())
    const server = await startSandbox({ media: createMediaOff(realClock) })
    onTestFinished(server.close)
    const { url, apiKey, apiSecret, controlToken } = server
    const control = { authorization: `Bearer ${controlToken}` }
    const { port } = receiver.address() as AddressInfo
    const target = { url: `http://127.0.0.1:${port}/`, secret: 'of the callbacks' }
    const init = { method: 'PUT', headers: control, body: JSON.stringify(target) }
    expect((await fetch(`${url}/sandbox/projects/${apiKey}/callbacks`, init)).status).toBe(204)

    const iat = Math.floor(Date.now() / 1000)
    const token = await new SignJWT({ iss: apiKey, ist: 'project', iat, exp: iat + 60 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(apiSecret))
    const headers = { [AUTH_HEADER]: token, accept: 'application/json' }
    const [session] = (await (await fetch(`${url}/session/create`, { method: 'POST', headers })).json()) as [
      { session_id: string },
    ]
    const participants = `${url}/sandbox/sessions/${session.session_id}/participants`
    await fetch(participants, { method: 'POST', headers: control, body: '{}' })
    expect(await got.promise).toEqual({
      method: 'POST',
      event: 'connectionCreated',
      authorization: expect.stringMatching(/^Bearer ey/),
    })
  })
})
