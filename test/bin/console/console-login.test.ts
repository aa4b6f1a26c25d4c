import { describe, expect, it } from 'vitest'
import { createConsoleLogin } from '../../../bin/console/console-login.ts'
import { COOKIE, useConsole } from './open-console.ts'

const { page, post, seen, attended, advance } = useConsole()

describe('createConsoleLogin', () => {
  const out = { cookie: '' }

  it.each(['/', '/console.js', '/console.css', '/api/shows', '/example.json', '/none'])(
    'refuses %s without the cookie',
    async (path) => {
      const sentence = 'Open the whole address that the terminal printed. Its token logs you in.'
      for (const cookie of ['', 'showrunner-console-4180=wrong', COOKIE.replace('4180', '4181')]) {
        const response = await page(path, { headers: { cookie } })
        expect([response.status, await response.text()]).toEqual([401, expect.stringContaining(sentence)])
      }
      expect((await post('/participants', '{"showId":"abc"}', out)).status).toBe(401)
      expect((await post('/api/shows', '{}', out)).status).toBe(401)
      expect([seen, attended]).toEqual([[], []])
    },
  )

  it('logs in at the whole address, with a cookie that scripts and other sites cannot use', async () => {
    const address = createConsoleLogin('let me in').addressOf('')
    const visit = await page(encodeURI(address), { headers: out })
    expect([visit.status, visit.headers.get('set-cookie')]).toEqual([
      200,
      `${COOKIE}; Path=/; HttpOnly; SameSite=Strict`,
    ])
    expect(await visit.text()).toContain('http-equiv="refresh" content="0;url=/"')
    expect(visit.headers.get('referrer-policy')).toBe('no-referrer')
    expect((await page('/?token=wrong', { headers: out })).status).toBe(401)
    expect((await post('/?token=let%20me%20in', '', out)).status).toBe(401)
    expect((await page('/api/shows?token=let%20me%20in', { headers: out })).status).toBe(401)
  })

  it('logs in once by a ticket, within a minute, and issues tickets after a log-in only', async () => {
    const ticket = async () => {
      const { address } = (await (await post('/tickets', '')).json()) as { address: string }
      return address.replace('http://127.0.0.1:4180', '')
    }
    const visit = async (path: string) => (await page(path, { headers: out })).status
    const [first, late] = [await ticket(), await ticket()]
    expect(first).toMatch(/^\/\?ticket=[\w-]{43}$/)
    advance(59_999)
    expect([await visit(first), await visit(first)]).toEqual([200, 401])
    advance(1)
    expect(await visit(late)).toBe(401)
    expect((await post('/tickets', '', out)).status).toBe(401)
  })

  it('creates a new token each time', () => {
    const tokens = [1, 2].map(() => new URL(createConsoleLogin().addressOf('http://h')).searchParams.get('token') ?? '')
    expect(tokens[0]).toMatch(/^[\w-]{43}$/)
    expect(tokens[0]).not.toBe(tokens[1])
  })
})
