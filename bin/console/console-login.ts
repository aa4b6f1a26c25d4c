import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

/** Log-in of the console: a token in the address of the first visit, and a cookie afterwards. */
export interface ConsoleLogin {
  /** Returns the address that logs a browser in. */
  readonly addressOf: (consoleUrl: string) => string
  /** Answers the first visit, which carries the token, and every request without the cookie; undefined: let it pass. */
  readonly answer: (c: Context) => Response | undefined
}

const HOW_TO_GET_IN = 'Open the console by the whole address that npm start has printed: its token logs you in.'

/** @param token made at each start, so that former cookies no longer count */
export function createConsoleLogin(token = randomBytes(32).toString('base64url')): ConsoleLogin {
  const isToken = (given: string | undefined) =>
    given !== undefined && timingSafeEqual(digestOf(given), digestOf(token))
  return {
    addressOf: (consoleUrl) => `${consoleUrl}/?token=${token}`,
    answer(c) {
      const cookie = cookieOf(c)
      if (c.req.method === 'GET' && c.req.path === '/' && isToken(c.req.query('token'))) {
        setCookie(c, cookie, token, { httpOnly: true, sameSite: 'Strict', path: '/' })
        return c.html(WELCOME)
      }
      if (isToken(getCookie(c, cookie))) return undefined
      if (c.req.path === '/') return c.text(HOW_TO_GET_IN, 401)
      return c.json({ type: 'about:blank', status: 401, detail: HOW_TO_GET_IN }, 401)
    },
  }
}

/** Cookies are shared by all ports of a host, so each console has a name of its own. */
const cookieOf = ({ req }: Context) => `showrunner-console-${new URL(`http://${req.header('host')}`).port || '80'}`

/**
 * Goes to the page without the token in its address. A redirect would not do: browsers send a strict cookie only with
 * requests that this origin has begun, and the first visit may come from a link elsewhere.
 */
const WELCOME = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Showrunner</title></html>
`

const digestOf = (text: string) => createHash('sha256').update(text).digest()
