import type { MiddlewareHandler } from 'hono'
import type { Hosts } from '../http/hosts.ts'
import { Refusal } from '../http/refusal.ts'
import type { Variables } from '../http/router.ts'
import { isEqual } from '../http/signatures.ts'

const NO_TOKEN =
  'The control interface needs the controlToken that the sandbox printed at its start: send it as "Authorization: Bearer …".'

/**
 * Guards every route below `/sandbox`: only by its own address, no page of another origin, and only bearers of the control token.
 * @param token required bearer token. @default none, so that every program of this machine is served
 */
export function guardControl(hosts: Hosts, token: string | undefined): MiddlewareHandler<Variables> {
  return async (c, next) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host
    hosts.refuseElsewhere(host)
    refuseOtherPages(host, c.req.header('origin'), c.req.header('sec-fetch-site'))
    if (token !== undefined && !isBearer(c.req.header('authorization'), token))
      return c.json({ code: 401, message: NO_TOKEN }, 401, { 'www-authenticate': 'Bearer' })
    return next()
  }
}

/** Refuses pages of other origins. A browser names the page by its origin, or else by Fetch Metadata. */
function refuseOtherPages(host: string, origin: string | undefined, site = 'none'): void {
  const isOwn = origin === undefined || origin === `http://${host}`
  if (!isOwn || !['same-origin', 'none'].includes(site))
    throw new Refusal(403, 'The control interface does not serve pages of other origins.')
}

const isBearer = (header: string | undefined, token: string) =>
  isEqual(/^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '', token)
