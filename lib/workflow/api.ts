import { z } from 'zod'
import { controls } from './controls.ts'
import type { Need } from './environment.ts'

/** Items of one page of a list. */
export const MOST_ITEMS = 100

const page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MOST_ITEMS).default(50).describe('How many at most.'),
  cursor: z
    .string()
    .regex(/^\d{13}-[0-9A-Za-z-]{1,64}$/, 'is not one that a list has given')
    .optional()
    .describe('Of the page before.'),
})

const dryRun = z.strictObject({
  dryRun: z.enum(['true', 'false']).default('false').describe('Checks everything, records and starts nothing.'),
})

const nothing = z.strictObject({})

export interface RouteDefinition {
  readonly summary: string
  /** Whatever it does not name is refused. */
  readonly query: z.ZodObject
}

/** The routes of Showrunner's HTTP API, with what each is for. */
export const apiRoutes = {
  'POST /shows': { summary: 'Start a show, now or by a schedule.', query: dryRun },
  'GET /shows': { summary: 'List shows, newest first.', query: page },
  'GET /shows/{id}': { summary: 'Read a show and, once it has ended, its result.', query: nothing },
  'PATCH /shows/{id}': { summary: controls.change.summary, query: nothing },
  'DELETE /shows/{id}': { summary: 'Unschedule a show.', query: nothing },
  'POST /shows/{id}/stop': { summary: controls.stop.summary, query: nothing },
  'POST /shows/{id}/signals': { summary: controls.signal.summary, query: nothing },
  'POST /shows/{id}/mute': { summary: controls.mute.summary, query: nothing },
  'POST /shows/{id}/dial-ins': { summary: controls.dialIn.summary, query: nothing },
  'POST /shows/{id}/broadcasts': { summary: controls.broadcast.summary, query: nothing },
  'GET /recordings': { summary: 'List published recordings, newest first.', query: page },
  'GET /public/recordings/{archiveId}': {
    summary: 'Read a recording that was published for everybody.',
    query: nothing,
  },
} as const satisfies Record<string, RouteDefinition>

export type RouteKey = keyof typeof apiRoutes
export type QueryOf<Key extends RouteKey> = z.output<(typeof apiRoutes)[Key]['query']>

/** Whether a route asks nobody who they are. */
export const isPublicRoute = (key: string) => key.includes(' /public/')

/** What the function behind the API may reach; seconds and megabytes it may use. */
export const apiFunction = {
  needs: ['platform', 'showRecords', 'showSecrets', 'publishedFiles', 'showExecutions', 'schedules', 'events'],
  timeout: 29,
  memory: 512,
} as const satisfies { needs: readonly Need[]; timeout: number; memory: number }
