import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports below those that Linux, macOS and Windows give out for port 0, so that no program gets one by chance. */
const [LOWEST, COUNT] = [20_000, 12_000]

/** A port of 127.0.0.1 at which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue // it is in use
    }
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
