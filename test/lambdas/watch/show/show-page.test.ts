import { afterEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../../support/world.ts'
import { providePage } from '../page-file.ts'
import { acceptShow, getOf, showId } from './watched-show.ts'

providePage()

let world: World
afterEach(() => world.close())

const get = (address: string, headers?: Record<string, string>) => getOf(world, address, headers)
function accept(changes?: object) {
  world = openWorld()
  return acceptShow(world, changes)
}
const stateOf = (url: string) => url.replace(/(\?|$)/, '/state$1')

describe('the page of a show', () => {
  it('has its title, and lets a live broadcast play', async () => {
    const { url } = await accept()
    const { statusCode, body, headers } = await get(url)
    expect(statusCode).toBe(200)
    expect(body).toContain('<title>Launch</title>')
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect(headers['content-security-policy']).toMatch(/connect-src 'self' http[^ ]+ https?:;/)
    expect(headers['content-security-policy']).toMatch(/media-src blob: http[^ ]+ https?:;/)
  })

  it('has a preview of a public show, for all', async () => {
    const { url, expiresAt } = await accept({ publish: { access: 'public' } })
    expect([url, expiresAt]).toEqual([`https://api.example.com/watch/show/${showId}`, undefined])
    expect((await get(url)).body).toContain('<meta property="og:description" content="All about it.">')
  })
})

describe('a link to a show that is refused', () => {
  it('is wrong for another show, another end, and without its signature, as if there were no show', async () => {
    const { url } = await accept()
    const changed = [
      url.replace(showId, 'another'),
      url.replace(/expires=\d+/, 'expires=9999999999'),
      url.replace(/signature=.{4}/, 'signature=AAAA'),
      url.replace(/\?.*/, ''),
      `https://api.example.com/watch/show/none`,
    ]
    for (const link of changed) {
      expect(await get(link)).toMatchObject({ statusCode: 404, body: expect.stringContaining('Nothing to watch here') })
      expect((await get(stateOf(link))).statusCode).toBe(403)
    }
  })

  it('is gone once it has expired', async () => {
    const { url } = await accept()
    await world.clock.advance((2 * 3600 + 86_400) * 1000)
    expect(await get(url)).toMatchObject({ statusCode: 410, body: expect.stringContaining('This link has expired') })
    expect((await get(stateOf(url))).statusCode).toBe(403)
  })
})
