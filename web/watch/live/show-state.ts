import type { WatchedShow } from '../../../lib/api/watched-show.ts'
import { nextPoll } from './next-poll.ts'

/** Polls the show of this page. Calls `use` with each change, until nothing more is expected, and `fail` with each problem. */
export async function followState(
  use: (show: WatchedShow) => void,
  fail: (message: string) => void,
  now: () => number = Date.now,
): Promise<void> {
  const page = new URL(location.href)
  const address = `${page.pathname.replace(/(\/embed)?\/?$/, '')}/state${page.search}`
  let etag: string | undefined
  let show: WatchedShow | undefined
  for (;;) {
    try {
      const response = await fetch(address, { cache: 'no-store', headers: etag ? { 'if-none-match': etag } : {} })
      if (response.ok) {
        show = (await response.json()) as WatchedShow
        etag = response.headers.get('etag') ?? undefined
        use(show)
      } else if (response.status !== 304) fail(await problemOf(response))
    } catch {
      fail('The server cannot be reached. Trying again …')
    }
    const delay = nextPoll(show, now())
    if (delay === undefined) return
    await new Promise((resolve) => setTimeout(resolve, delay))
  }
}

async function problemOf(response: Response): Promise<string> {
  const body = await response.json().catch(() => ({}))
  return body.detail ?? body.message ?? `The server answered ${response.status}.`
}
