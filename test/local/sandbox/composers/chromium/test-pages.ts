import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from '../../../../../bin/local/root.ts'

/** A page that tries what is refused, and sends the results to its server. */
const TRIALS = `<!doctype html><title>Trials</title><iframe src="file:///etc/hostname"></iframe><script type="module">
const attempt = async (act) => { try { return await act() } catch (error) { return error.name } }
const link = Object.assign(document.createElement('a'), { href: '/download', download: 'x' })
document.body.append(link)
link.click()
const found = {
  size: [innerWidth, innerHeight, devicePixelRatio],
  window: await attempt(() => window.open('/other')),
  confirmed: await attempt(() => confirm('Continue?')),
  file: await attempt(() => fetch('file:///etc/hostname')),
  frame: document.querySelector('iframe').contentDocument?.URL ?? 'a page of another origin',
  clipboard: await attempt(() => navigator.clipboard.readText()),
  place: await attempt(() => new Promise((resolve) => navigator.geolocation.getCurrentPosition(resolve, ({ code }) => resolve(code)))),
  network: await attempt(async () => (await navigator.permissions.query({ name: 'local-network-access' })).state),
  notifications: await attempt(() => Notification.requestPermission()),
}
location = 'file:///etc/hostname'
await fetch('/found', { method: 'POST', body: JSON.stringify(found) })
</script>`

export interface TestPages {
  /** Address, without a trailing slash. */
  readonly url: string
  /** What pages at `/trials` found, in the order of their reports. */
  readonly found: readonly Readonly<Record<string, unknown>>[]
  /** Paths that were requested. */
  readonly requested: readonly string[]
}

/** Serves pages that behave badly, until the test has finished. */
export async function serveTestPages(): Promise<TestPages> {
  const found: Record<string, unknown>[] = []
  const requested: string[] = []
  const answers: Record<string, (response: ServerResponse) => void> = {
    '/trials': (response) => response.end(TRIALS),
    '/redirect': (response) => response.writeHead(302, { location: 'file:///etc/hostname' }).end(),
    '/download': (response) => response.writeHead(200, { 'content-disposition': 'attachment' }).end('x'),
    '/silent': () => {},
  }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    requested.push(pathname)
    if (pathname === '/found') {
      const parts = await Array.fromAsync(request as AsyncIterable<Buffer>)
      found.push(JSON.parse(Buffer.concat(parts).toString()))
      return response.end()
    }
    response.setHeader('content-type', 'text/html')
    const answer = answers[pathname]
    if (answer) answer(response)
    else response.writeHead(404).end('<title>Not found</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, found, requested }
}

/** Serves `examples/scene` as its readers do. Returns its address, without a trailing slash. */
export async function serveScene(): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'examples/scene/serve.mjs'), '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return new URL(/http:\S+/.exec(line)?.[0] ?? '').origin
}
