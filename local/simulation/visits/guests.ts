import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import type { Services } from '../../../lib/services.ts'
import type { Environment } from '../../../lib/tasks/environment.ts'
import { createUnscheduledApi } from '../environment/guests/unscheduled-api.ts'
import type { MakeHandler } from '../environment/handlers.ts'
import { createVisitor, type Site, type Visit, type Visitor, type VisitorOptions } from './visitor.ts'

export interface GuestsOptions {
  readonly handlers: ReadonlyMap<string, MakeHandler>
  readonly clock: Clock
  /** Returns services with these variables beside those of all functions. Their calls are not scheduled. */
  readonly servicesWith: (more: Environment) => Services
  readonly files: VisitorOptions['network']['aws']
  readonly token: VisitorOptions['token']
}

/** The state of a show and of the occurrences of a series, as they are recorded. */
export interface Doors {
  readonly shows: readonly Door[]
}

interface Door {
  readonly showId: string
  readonly status: string
  readonly sessionId?: string
  readonly endedAt?: string
  readonly occurrences?: readonly string[]
}

/** The header that the distribution in front of watch pages sends (docs/deploy.md), and the secret that it holds. */
const FRONT_HEADER = 'x-showrunner-origin'
const held = z.object({ secret: z.string() })

/** The settings of a deployment with a distribution in front of watch pages, which a page may frame. */
const FRONT = {
  origin: 'https://watch.example.com',
  ancestors: 'https://one.example.com https://two.example.com',
  joinUrl: 'https://app.example.com/join',
} as const satisfies Site

export type Guests = ReturnType<typeof createGuests>

/** Creates visitors whose requests change nothing of what happens in a show: they use separate functions. */
export function createGuests({ handlers, clock, servicesWith, files, token }: GuestsOptions) {
  const all: Visitor[] = []
  const visitorOn = (services: Services, site: Site | undefined, headers: Readonly<Record<string, string>> = {}) => {
    const answer = createUnscheduledApi({ handlers, services, clock })
    const api = (request: Request) => {
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
      return answer(request)
    }
    const made = createVisitor({ network: { api, aws: files }, issuer: unsigned, clock, token, ...(site && { site }) })
    all.push(made)
    return made
  }
  const visitor = visitorOn(servicesWith({}), undefined)
  /** Attempts of guests to join, with what was recorded at that time. */
  const joins: { readonly visit: Visit; readonly showId: string; readonly doors: Doors }[] = []
  return {
    visitor,
    joins,
    /** Creates a visitor of the API of a world at rest, as it will answer after some milliseconds. */
    later(milliseconds: number): Visitor {
      const services = servicesWith({})
      const made = visitorOn(
        { ...services, clock: { ...services.clock, now: () => services.clock.now() + milliseconds } },
        undefined,
      )
      made.rest()
      return made
    },
    /** Creates the visitors of a deployment with a distribution in front of watch pages: through it, and past it. */
    async atFront(): Promise<{ readonly through: Visitor; readonly past: Visitor }> {
      const secretId = servicesWith({}).variable('WATCH_SECRET') // any secret of this form
      const services = servicesWith({
        ...{ FRAME_ANCESTORS: FRONT.ancestors, WATCH_ORIGIN: FRONT.origin, JOIN_URL: FRONT.joinUrl },
        ORIGIN_SECRET: secretId,
      })
      const { secret } = await services.secrets.read(secretId, held)
      const through = visitorOn(services, FRONT, { [FRONT_HEADER]: secret })
      const past = visitorOn(services, { ...FRONT, isPast: true })
      for (const one of [through, past]) one.rest()
      return { through, past }
    },
    get visits(): readonly Visit[] {
      return all.flatMap(({ visits }) => visits)
    },
  }
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Issues tokens without a signature, which nothing verifies. */
const unsigned: VisitorOptions['issuer'] = {
  sign: async (claims, { audience }) => [encoded({ alg: 'none' }), encoded({ ...claims, aud: audience }), ''].join('.'),
}
