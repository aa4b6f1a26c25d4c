import { Hono } from 'hono'
import type { FaultOrder, Faults } from '../http/faults.ts'
import type { Variables } from '../http/router.ts'
import { readJsonBody } from '../http/validation.ts'

export function createFaultRoutes(faults: Faults): Hono<Variables> {
  const routes = new Hono<Variables>()
  routes.post('/sandbox/faults', async (c) => {
    c.set('operation', 'orderFault')
    return c.json({ id: faults.order(readJsonBody(await c.req.text()) as FaultOrder) }, 201)
  })
  routes.get('/sandbox/faults', (c) => {
    c.set('operation', 'listFaults')
    const items = faults.list()
    return c.json({ count: items.length, items })
  })
  routes.delete('/sandbox/faults', (c) => {
    c.set('operation', 'clearFaults')
    faults.clear()
    return c.body(null, 204)
  })
  return routes
}
