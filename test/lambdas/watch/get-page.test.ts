import { afterEach, describe, expect, it } from 'vitest'
import { handler } from '../../../lambdas/watch/watch.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { invoke, openWorld, type World } from '../../support/world.ts'
import { call } from '../api/call.ts'
import { archiveId, manifest } from '../api/recordings/recording.ts'
import { providePage } from './page-file.ts'

providePage()

let world: World
afterEach(() => world.close())

interface Answer {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: string
}

const get = async (address: string) => {
  const { pathname, searchParams } = new URL(address, 'https://api.example.com')
  return (await invoke(handler, world.services, {
    ...{ version: '2.0', rawPath: pathname, headers: {}, pathParameters: { archiveId: pathname.split('/')[2] } },
    queryStringParameters: Object.fromEntries(searchParams),
    requestContext: { domainName: 'api.example.com', http: { method: 'GET', path: pathname } },
  })) as Answer
}

const page = { title: 'Launch', description: 'All about it.', cover: 'https://cdn.example.com/cover.jpg' }

/** Publishes a recording. @returns the link to its page */
async function publish(changes: Partial<Manifest> = {}, environment: object = {}): Promise<string> {
  world = openWorld(environment)
  const show = { showId: 'a-show', name: 'program', part: 1 }
  await world.services.records.writeManifest({ ...manifest, show, page, ...changes }, async () => true)
  return (await call(world, `GET /recordings/${archiveId}`)).body.watch.url
}

describe('GET /watch/{archiveId}', () => {
  it('cannot be framed, keeps its type, and is only fetched over TLS', async () => {
    const { statusCode, headers, body } = await get(await publish())
    expect(statusCode).toBe(200)
    expect(headers['content-security-policy']).toContain("; frame-ancestors 'none';")
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    })
    expect(body).not.toContain('data-embed')
  })

  it('is framed by the pages that the settings name, for which it has an address', async () => {
    const url = await publish({}, { FRAME_ANCESTORS: 'https://a.example.com https://b.example.com' })
    for (const address of [url, url.replace('?', '/embed?')]) {
      const { headers, body } = await get(address)
      expect(headers['content-security-policy']).toContain(
        '; frame-ancestors https://a.example.com https://b.example.com;',
      )
      expect(body).toContain(`data-embed="https://api.example.com/watch/${archiveId}/embed?expires=`)
      expect(body.includes('<body class="embed"')).toBe(address !== url)
    }
  })

  it('has the titles of a private recording, and no preview of it', async () => {
    const { body, headers } = await get(await publish())
    expect(body).toContain('<title>Launch – program</title>')
    expect(body).toContain('<meta property="og:title" content="Launch – program">')
    expect(body).toContain('<h1 id="title">Launch</h1>')
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect(body).not.toMatch(/og:(description|image|url)|canonical|name="description"/)
    expect(headers['content-security-policy']).toContain(' https://cdn.example.com;')
  })

  it('has a preview of a public recording, with the cover or the poster, and may be indexed', async () => {
    const url = await publish({ access: 'public' })
    const { body } = await get(url)
    expect(body).toContain(`<link rel="canonical" href="${url}">`)
    expect(body).toContain('<meta name="description" content="All about it.">')
    expect(body).toContain('<meta property="og:description" content="All about it.">')
    expect(body).toContain('<meta property="og:image" content="https://cdn.example.com/cover.jpg">')
    expect(body).not.toContain('noindex')
    await world.close()
    const image = `https://api.example.com/watch/${archiveId}/poster`
    expect((await get(await publish({ access: 'public', page: { title: 'Launch' } }))).body).toContain(
      `<meta property="og:image" content="${image}">`,
    )
    const poster = await get(image)
    expect([poster.statusCode, poster.headers.location]).toEqual([302, expect.stringContaining('/poster.jpg?')])
  })

  it('can be watched and downloaded without a script', async () => {
    const { body } = await get(await publish())
    const plain = /<noscript>(.*)<\/noscript>/.exec(body)?.[1] ?? ''
    expect(plain).toMatch(/<video [^>]*controls[^>]* src="[^"]+archive\.mp4\?[^"]*X-Amz-Signature=/)
    expect(plain).toMatch(/<a href="[^"]+response-content-disposition=attachment[^"]*">Download<\/a>/)
    expect(plain).not.toContain('audio')
  })

  it('plays the composite of an individual archive, and offers the zip where there is none', async () => {
    const source = { key: `1/${archiveId}/archive.zip`, size: 1, sha256: null }
    const composite = { role: 'composite' as const, key: keys.published(archiveId, 'composite', 'e', 'composite.mp4') }
    const [, without = ''] = /<noscript>(.*)<\/noscript>/.exec((await get(await publish({ source }))).body) ?? []
    expect(without).not.toContain('<video')
    expect(without).toMatch(/<a href="[^"]+archive\.zip\?[^"]*">Download<\/a>/)
    await world.close()
    const files = [{ ...composite, size: 1, sha256: null }]
    const [, plain = ''] = /<noscript>(.*)<\/noscript>/.exec((await get(await publish({ source, files }))).body) ?? []
    expect(plain).toMatch(/<video [^>]* src="[^"]+composite\.mp4\?/)
  })

  it('shows titles and descriptions as text', async () => {
    const title = `"><script>alert(1)</script>{title}<!--plain-->$&'`
    const { body } = await get(await publish({ access: 'public', page: { title, description: title } }))
    expect(body.match(/<script/g)).toHaveLength(1)
    expect(body).toContain('&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;{title}&#60;!--plain--&#62;$&#38;&#39;')
    expect(body).toContain('</html>')
  })
})

describe('a link that is refused', () => {
  const shows = async (address: string, statusCode: number, title: string) => {
    const answer = await get(address)
    expect(answer).toMatchObject({ statusCode, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(answer.body).toContain(`<h1>${title}</h1>`)
    expect(answer.body).not.toContain('Launch')
    expect(answer.headers['content-security-policy']).not.toContain('script-src')
  }

  it('is not found if its signature is not valid, as if there were no recording', async () => {
    const url = await publish()
    const changes = [/\?.*/, /&signature=.*/, /signature=.{4}/, /expires=\d+/, archiveId]
    const links = changes.map((part) => url.replace(part, String(part).includes('.{4}') ? 'signature=AAAA' : ''))
    for (const link of [...links, url.replace(archiveId, 'another')])
      for (const address of [link, link.replace(/(\?|$)/, '/embed$1')])
        await shows(
          address.replace('watch/?', 'watch/none?').replace('watch//', 'watch/none/'),
          404,
          'Nothing to watch here',
        )
  })

  it('is gone if it has expired, was revoked, or the recording is deleted', async () => {
    const url = await publish()
    await world.services.storage.deleteAll(`recordings/${archiveId}/`)
    await shows(url, 410, 'This recording is gone')
    await world.services.records.writeManifest({ ...manifest, epoch: 1 }, async () => true)
    await shows(url, 410, 'This link was withdrawn')
    await world.clock.advance(86_400_000)
    await shows(url, 410, 'This link has expired')
  })
})
