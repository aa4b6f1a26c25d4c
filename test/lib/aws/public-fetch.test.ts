import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPublicFetch, type PublicFetchOptions } from '../../../lib/aws/public-fetch.ts'
import { createSelfSignedCertificate } from '../../support/certificates.ts'

const certificate = createSelfSignedCertificate()
let server: Server
let port: number
/** What the server has got, as `METHOD /path from address: body`. */
let got: string[]
let connections: number

beforeAll(async () => {
  server = createServer(certificate, async (request, response) => {
    got.push(`${request.method} ${request.url} ${request.headers['x-id']}: ${await text(request)}`)
    if (request.url === '/away') return response.writeHead(302, { location: '/hook' }).end()
    if (request.url === '/silent') return
    response.writeHead(request.url === '/hook' ? 204 : 200, { 'x-a': 'b' }).end(request.url === '/hook' ? '' : 'thanks')
  })
  server.on('connection', () => connections++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  got = []
  connections = 0
})

type Answer = { address: string; family: number }[]
/** A resolver of one name that counts its calls. */
function resolving(addresses: Answer) {
  const asked: string[] = []
  const lookup: PublicFetchOptions['lookup'] = (host, _options, done) => {
    asked.push(host)
    done(null, addresses)
  }
  return { asked, lookup }
}
const here: Answer = [{ address: '127.0.0.1', family: 4 }]
const isHere = (address: string) => address === '127.0.0.1'
const refusal = {
  name: 'TaskInputError',
  message: expect.stringContaining('callbacks only go to hosts on the internet'),
}

describe('createPublicFetch', () => {
  it('connects to the checked address with the given name', async () => {
    const { asked, lookup } = resolving(here)
    const fetch = createPublicFetch({ lookup, isAllowed: isHere, ca: certificate.cert })
    const init = { method: 'POST', headers: { 'x-id': 'e1' }, body: '{"ä":1}' }
    const response = await fetch(`https://localhost:${port}/`, init)
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([200, 'b', 'thanks'])
    expect((await fetch(`https://localhost:${port}/hook`, init)).status).toBe(204)
    expect(got).toEqual(['POST / e1: {"ä":1}', 'POST /hook e1: {"ä":1}'])
    expect(asked).toEqual(['localhost', 'localhost']) // once for each
    expect(connections).toBe(2) // none is used again
  })

  it('returns a redirect without following it', async () => {
    const fetch = createPublicFetch({ ...resolving(here), isAllowed: isHere, ca: certificate.cert })
    const response = await fetch(`https://localhost:${port}/away`, { method: 'POST', body: '' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/hook'])
    expect(got).toHaveLength(1)
  })

  it.each<[string, Answer]>([
    ['is not public', here],
    ['is public and another is not', [{ address: '93.184.215.14', family: 4 }, ...here]],
    ['is not there', []],
  ])('refuses a name of which an address %s, before it connects', async (_, addresses) => {
    const fetch = createPublicFetch({ ...resolving(addresses), ca: certificate.cert })
    await expect(fetch(`https://localhost:${port}/hook`)).rejects.toMatchObject(refusal)
    expect(connections).toBe(0)
  })

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '169.254.169.254'])(
    'refuses the literal address https://%s',
    async (host) => {
      const { asked, lookup } = resolving(here)
      const fetch = createPublicFetch({ lookup, ca: certificate.cert })
      await expect(fetch(`https://${host}:${port}/hook`)).rejects.toMatchObject(refusal)
      expect([asked, connections]).toEqual([[], 0])
    },
  )

  it('refuses localhost by the system’s own resolver', async () => {
    await expect(createPublicFetch()(`https://localhost:${port}/hook`)).rejects.toMatchObject(refusal)
  })

  it('refuses http', async () => {
    await expect(createPublicFetch()('http://app.example.com/hook?key=s3cret')).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'Callbacks only use https: http://app.example.com cannot be called.',
    })
  })

  it('refuses an untrusted certificate', async () => {
    const fetch = createPublicFetch({ ...resolving(here), isAllowed: isHere })
    await expect(fetch(`https://localhost:${port}/hook`)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(got).toEqual([])
  })

  it('stops with its signal, and reports an unknown name', async () => {
    const fetch = createPublicFetch({ ...resolving(here), isAllowed: isHere, ca: certificate.cert })
    const abort = new AbortController()
    server.once('request', () => abort.abort())
    await expect(fetch(`https://localhost:${port}/silent`, { signal: abort.signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
    const unknown: PublicFetchOptions['lookup'] = (_host, _options, done) =>
      done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
    await expect(createPublicFetch({ lookup: unknown })('https://app.example.com')).rejects.toMatchObject({
      code: 'ENOTFOUND',
    })
  })
})
