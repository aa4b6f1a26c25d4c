import { Hono } from 'hono'
import { z } from 'zod'
import { isLoopback } from '../http/hosts.ts'
import { Refusal } from '../http/refusal.ts'
import type { Variables } from '../http/router.ts'
import { parse, readJsonBody } from '../http/validation.ts'
import type { ProjectRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Callbacks } from './callbacks.ts'

const target = z
  .object({
    url: z.string().max(2_048).refine(isHttpOnLoopback, {
      message: 'must be an http URL of this machine, such as http://127.0.0.1:3000/callbacks',
    }),
    secret: z.string().min(1).max(1_024),
  })
  .nullable()

/** Creates the routes that register a project's callback URL, which the platform offers on its account page. */
export function createCallbackRoutes({ store, callbacks }: { store: Store; callbacks: Callbacks }): Hono<Variables> {
  const routes = new Hono<Variables>()

  function find(apiKey: string): ProjectRecord {
    const project = store.projects.get(apiKey)
    if (!project) throw new Refusal(404, 'Project not found')
    return project
  }

  routes.put('/sandbox/projects/:apiKey/callbacks', async (c) => {
    c.set('operation', 'setCallbacks')
    const { id } = find(c.req.param('apiKey'))
    store.projects.update(id, { callbacks: parse(target, readJsonBody(await c.req.text())) ?? undefined })
    return c.body(null, 204)
  })

  routes.get('/sandbox/projects/:apiKey/callbacks', (c) => {
    c.set('operation', 'getCallbacks')
    const { id, callbacks: registered } = find(c.req.param('apiKey'))
    return c.json({ url: registered?.url ?? null, ...callbacks.tally(id) })
  })

  return routes
}

/** Returns true for an HTTP URL of this machine: the sandbox sends nothing to other machines. */
function isHttpOnLoopback(url: string): boolean {
  return isLoopback(url) && new URL(url).protocol === 'http:'
}
