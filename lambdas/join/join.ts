import { type JoinRoute, joinRoutes } from '../../lib/api/invitations.ts'
import { createServices, type Services } from '../../lib/services.ts'
import type { Environment } from '../../lib/tasks/environment.ts'
import { httpHandler } from '../http/http.ts'
import { type ApiEvent, readQuery } from '../http/request.ts'
import { toConsole, toStandardOutput } from '../middleware/log.ts'
import type { WriteLine } from '../middleware/written-logger.ts'
import { postJoin } from './post-join.ts'

const routes: Readonly<Record<JoinRoute, typeof postJoin>> = { 'POST /public/join': postJoin }

/** Admits participants who have an invitation. It can read two secrets and the records of shows, and change nothing. */
const createJoin = (services: Services, write: WriteLine = toConsole) =>
  httpHandler<ApiEvent>({
    name: 'join',
    services,
    write,
    routes: Object.fromEntries(
      Object.entries(routes).map(([key, answer]) => [
        key,
        async (event: ApiEvent) => {
          readQuery(event, joinRoutes[key as JoinRoute].query)
          return answer(event, services)
        },
      ]),
    ),
  })

export const handler = Object.assign(createJoin(createServices(process.env as Environment), toStandardOutput), {
  on: createJoin,
})
