import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { getAhead } from '../../lib/clock.ts'
import { Refusal } from '../../local/sandbox/http/refusal.ts'
import type { SandboxServer } from '../../local/sandbox/server.ts'
import { pageProblem } from '../pages/page-requests.ts'
import type { LocalClock } from './local-clock.ts'

/** The sandbox that the page may break: faults, connections of participants, and programs. */
export type BreakableSandbox = Pick<SandboxServer, 'url' | 'controlToken' | 'faults' | 'isLive'>

/** Creates the routes by which the console breaks what runs on this machine. A deployment has none of them. */
export function createBreakRoutes(
  { url, controlToken = '', faults, isLive }: BreakableSandbox,
  clock: Pick<LocalClock, 'moveForward'>,
): Hono {
  const routes = new Hono()
  const control = (path: string, method = 'GET') =>
    fetch(`${url}/sandbox${path}`, { method, headers: { authorization: `Bearer ${controlToken}` } })

  routes.get('/faults', (c) => c.json({ items: faults.list() }))
  routes.post('/faults', async (c) => c.json({ id: faults.order(await c.req.json()) }, 201))
  routes.delete('/faults', (c) => {
    faults.clear()
    return c.json({ items: [] })
  })
  routes.post('/ffmpeg', async (c) => {
    const [pid] = await runningFfmpeg()
    if (pid === undefined) return pageProblem(409, 'No ffmpeg runs. One runs while a show records or broadcasts.')
    process.kill(pid, 'SIGKILL')
    return c.json({ pid })
  })
  routes.post('/connections', async (c) => {
    const { sessionId, streamId } = await c.req.json<{ sessionId: string; streamId: string }>()
    const participants = `/sessions/${encodeURIComponent(sessionId)}/participants`
    const { items = [] } = (await (await control(participants)).json()) as { items?: readonly Listed[] }
    const found = items.find(({ streamIds }) => streamIds.includes(streamId))
    if (!found) return pageProblem(404, 'The participant has left already.')
    await control(`${participants}/${found.connectionId}`, 'DELETE')
    return c.json({ connectionId: found.connectionId })
  })
  routes.get('/clock', (c) => c.json(timeOf()))
  routes.post('/clock', async (c) => {
    const { forward } = await c.req.json<{ forward?: unknown }>()
    if (typeof forward !== 'number' || !Number.isInteger(forward) || forward < 1 || forward > MAX_FORWARD)
      return pageProblem(400, `The clock moves forward by 1 to ${MAX_FORWARD} whole seconds: { "forward": 3600 }.`)
    if (isLive())
      return pageProblem(409, 'Media is made in real time. Move the clock when no participant is connected.')
    if (getAhead() / 1000 + forward > MAX_AHEAD)
      return pageProblem(409, `The clock may be ${MAX_AHEAD / 86_400} days ahead. Start with another directory.`)
    await clock.moveForward(forward * 1000)
    return c.json(timeOf())
  })
  routes.onError((error) => {
    if (error instanceof Refusal) return pageProblem(error.status, error.message)
    if (error instanceof SyntaxError) return pageProblem(400, 'The body is not JSON.')
    throw error
  })
  return routes
}

/** Seconds by which the clock moves at most at a time, and is ahead at most: the tokens of the API are valid for a year. */
const [MAX_FORWARD, MAX_AHEAD] = [86_400, 300 * 86_400]

/** Returns the time of Showrunner, and by how much it is ahead of the machine's, in milliseconds. */
const timeOf = () => ({ now: Date.now(), ahead: getAhead() })

interface Listed {
  readonly connectionId: string
  readonly streamIds: readonly string[]
}

const run = promisify(execFile)

/** Returns the process ids of the ffmpeg that this process has started, the oldest first: those of live outputs. */
async function runningFfmpeg(): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,comm='])
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, name = ''] = line.trim().split(/\s+/)
    return Number(parent) === process.pid && /ffmpeg/.test(name) ? [Number(pid)] : []
  })
}
