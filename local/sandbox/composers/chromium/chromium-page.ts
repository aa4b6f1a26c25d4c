import { randomUUID } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import type { Clock } from '../../../../lib/clock.ts'
import { sizeOf } from '../../media/checks.ts'
import type { ComposerRecord } from '../../state/records.ts'
import type { WebRtc } from '../../webrtc/webrtc.ts'
import { type ComposerPage, LOAD_LIMIT, type PageHost, pageFailures } from '../composer-pages.ts'
import { createBrowserFolder } from './browser-folders.ts'
import { type CapturePage, openCapturePage } from './capture-page.ts'
import { launchBrowser } from './launch-browser.ts'
import { reasonOfFailure, reasonOfStatus } from './page-failures.ts'

export interface ChromiumPageParts {
  readonly executablePath: string
  readonly clock: Clock
  readonly webRtc: Pick<WebRtc, 'publish'>
  /** Folder of all browsers. */
  readonly folder: string
}

/** Seconds within which an open page must be a stream. A peer has ten to connect. */
const PUBLISH_LIMIT = 20
/** Milliseconds for a browser to end in order. */
const CLOSE_LIMIT = 5_000

/** Opens the page of a composer in a new browser. `ended` resolves when nothing of the browser is left. */
export function openChromiumPage(
  { executablePath, clock, webRtc, folder }: ChromiumPageParts,
  composer: ComposerRecord,
  host: PageHost,
): ComposerPage & { readonly ended: Promise<void> } {
  const { url, sessionId, name, layoutClasses, resolution } = composer
  const size = sizeOf(resolution)
  const { promise: over, resolve } = Promise.withResolvers<void>()
  let isOver = false
  let deadline = limit(LOAD_LIMIT, pageFailures.notLoaded(LOAD_LIMIT))

  function close(): void {
    isOver = true
    deadline.cancel()
    resolve()
  }
  function fail(reason: string): void {
    if (isOver) return
    close()
    host.onFailed(reason)
  }
  function limit(seconds: number, reason: string) {
    return clock.at(clock.now() + seconds * 1000, () => fail(reason))
  }

  async function run(): Promise<void> {
    const browserFolder = await createBrowserFolder(folder)
    const { profile } = browserFolder
    const title = randomUUID()
    const launching = launchBrowser(executablePath, { profile, size, title, timeout: LOAD_LIMIT * 1000 })
    try {
      const shown = launching.then((context) => show(context, title))
      await Promise.race([over, shown.then(() => over)])
    } finally {
      const context = await launching.catch(() => undefined)
      if (context) await closeWithin(CLOSE_LIMIT, context)
      await browserFolder.remove()
    }
  }

  async function closeWithin(ms: number, context: BrowserContext): Promise<void> {
    const closed = new AbortController()
    const closing = context.close().finally(() => closed.abort())
    await Promise.allSettled([Promise.race([closing, clock.sleep(ms, closed.signal)])])
  }

  /** Shows the page, and publishes what it shows. */
  async function show(context: BrowserContext, title: string): Promise<void> {
    if (isOver) return
    const [page = await context.newPage()] = context.pages()
    const capturing = await context.newPage()
    for (const one of [page, capturing]) {
      one.on('crash', () => fail(pageFailures.crashed))
      one.on('close', () => fail('The browser closed the page.')) // also when it was killed
    }
    context.on('page', (opened) => void opened.close().catch(() => {})) // a window that the page has opened
    const capture = await openCapturePage(capturing, size)
    // The tab is captured before it shows the page, whose title is not known and may change.
    await page.goto(`data:text/html,<title>${title}</title>`)
    await capture.capture()
    await page.bringToFront()

    const response = await page.goto(url, { timeout: 0 }).catch((error: Error) => error)
    const reason = response instanceof Error ? reasonOfFailure(response.message) : reasonOfStatus(response?.status())
    if (reason !== undefined) return fail(reason)
    if (isOver) return
    deadline.cancel()
    deadline = limit(PUBLISH_LIMIT, `The page was not published within ${PUBLISH_LIMIT} s.`)
    await publish(capture)
    deadline.cancel()
  }

  async function publish(capture: CapturePage): Promise<void> {
    const offer = await capture.offer()
    const connection = isOver ? undefined : host.connect()
    if (!connection) return
    const onEnd = () => fail('The stream of the page was interrupted.')
    const owner = { sessionId, connection, connect: () => connection, onEnd }
    const { answer, stream } = await webRtc.publish(owner, { name, videoType: 'custom', layoutClasses }, offer)
    await capture.answer(answer)
    const published = await stream
    if (published && !isOver) host.onPublished(published)
    else onEnd()
  }

  const ended = run().catch((error: Error) => fail(`The browser of the page failed: ${firstLine(error)}`))
  return { close, ended }
}

const firstLine = ({ message }: Error) => message.split('\n', 1)[0] ?? ''
