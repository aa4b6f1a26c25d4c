import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

export type ConsoleLogin = ReturnType<typeof createConsoleLogin>

const HOW_TO_GET_IN = 'Open the whole address that the terminal printed. Its token logs you in.'
/** Milliseconds for which a ticket logs in. */
const TICKET_LIFETIME = 60_000

/**
 * Creates the log-in of the console: a token in the address of the first visit, and a cookie afterwards. A ticket logs in once,
 * for addresses that other users of the machine may read, such as arguments of a program.
 * @param token by default a new one for each start, so that former cookies are invalid
 * @param now milliseconds since the epoch
 */
export function createConsoleLogin(token = randomBytes(32).toString('base64url'), now: () => number = Date.now) {
  const expiries = new Map<string, number>()
  const takeTicket = (given: string | undefined) => {
    const expiry = given === undefined ? 0 : (expiries.get(given) ?? 0)
    if (given !== undefined) expiries.delete(given)
    return now() < expiry
  }
  const isToken = (given: string | undefined) =>
    given !== undefined && timingSafeEqual(digestOf(given), digestOf(token))
  return {
    addressOf: (consoleUrl: string) => `${consoleUrl}/?token=${token}`,
    /** Returns an address that logs in one browser, within a minute. */
    ticketAddressOf(consoleUrl: string): string {
      for (const [ticket, expiry] of expiries) if (expiry <= now()) expiries.delete(ticket)
      const ticket = randomBytes(32).toString('base64url')
      expiries.set(ticket, now() + TICKET_LIFETIME)
      return `${consoleUrl}/?ticket=${ticket}`
    },
    /** Answers the first visit, which has the token or a ticket, and requests without the cookie. Returns undefined for all others. */
    answer(c: Context): Response | undefined {
      const cookie = cookieOf(c)
      const isVisit = c.req.method === 'GET' && c.req.path === '/'
      if (isVisit && (isToken(c.req.query('token')) || takeTicket(c.req.query('ticket')))) {
        setCookie(c, cookie, token, { httpOnly: true, sameSite: 'Strict', path: '/' })
        return c.html(WELCOME)
      }
      if (isToken(getCookie(c, cookie))) return undefined
      if (c.req.path === '/') return c.text(HOW_TO_GET_IN, 401)
      return c.json({ type: 'about:blank', status: 401, detail: HOW_TO_GET_IN }, 401)
    },
  }
}

/** All ports of a host share cookies, so the name has the port of the console. */
const cookieOf = ({ req }: Context) => `showrunner-console-${new URL(`http://${req.header('host')}`).port || '80'}`

/**
 * Loads the page without the token in its address. A redirect would fail: browsers send a strict cookie only with requests
 * that this origin started, and the first visit may follow a link on another site.
 */
const WELCOME = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Showrunner</title></html>
`

const digestOf = (text: string) => createHash('sha256').update(text).digest()
