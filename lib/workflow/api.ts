import type { Need } from './environment.ts'

/** The routes of Showrunner's HTTP API, with what each is for. */
export const apiRoutes = {
  'POST /shows': 'Start a show.',
  'GET /shows': 'List shows, newest first.',
  'GET /shows/{id}': 'Read a show and, once it has ended, its result.',
  'GET /recordings': 'List published recordings, newest first.',
  'GET /public/recordings/{archiveId}': 'Read a recording that was published for everybody.',
} as const

export type RouteKey = keyof typeof apiRoutes

/** Whether a route asks nobody who they are. */
export const isPublicRoute = (key: string) => / \/public\//.test(key)

/** What the function behind the API may reach; seconds and megabytes it may use. */
export const apiFunction = {
  needs: ['showRecords', 'publishedFiles', 'showExecutions'],
  timeout: 29,
  memory: 512,
} as const satisfies { needs: readonly Need[]; timeout: number; memory: number }
