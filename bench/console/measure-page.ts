import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { memoryOfAll } from '../publish/memory.ts'

/** Milliseconds for one step on a busy machine. */
const PATIENCE = 300_000
const POLL_INTERVAL = 100
const VIEWPORT = { width: 1440, height: 900 }

/** Times of one opening of the console, in seconds since the navigation. */
interface Opening {
  readonly firstPaint: number
  /** Until the card of the show is there. */
  readonly card: number
}

/** Opens the console with empty caches, and closes it. */
export async function measureOpening(browser: Browser, url: string, signal: AbortSignal): Promise<Opening> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  try {
    const page = await context.newPage()
    await page.goto(url, { timeout: PATIENCE })
    await page.locator('#now .show').waitFor({ timeout: PATIENCE })
    const card = (await page.evaluate<number>('performance.now()')) / 1000
    const paint = () => page.evaluate<number | undefined>(FIRST_PAINT)
    for (let milliseconds = await paint(); ; milliseconds = await paint()) {
      if (milliseconds !== undefined) return { firstPaint: milliseconds / 1000, card }
      await sleep(POLL_INTERVAL, undefined, { signal })
    }
  } finally {
    await context.close()
  }
}

const FIRST_PAINT = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`

/** Usage of the page at a moment. */
interface PageUsage {
  /** Bytes of JavaScript objects that are in use. */
  readonly heap: number
  readonly nodes: number
  /** Bytes in memory of all processes of Chromium. */
  readonly memory: number
  /** Seconds of processor time: of the thread of the page, and of all processes of Chromium. */
  readonly thread: number
  readonly all: number
  /** Seconds of a clock. */
  readonly at: number
}

/** Usage of the page before and after the time for which it was watched. */
interface WatchedPage {
  readonly before: PageUsage
  readonly after: PageUsage
  /** Cores that the thread of the page used, on which video is not decoded. */
  readonly cores: number
  /** Cores that all processes of Chromium used, video included. */
  readonly allCores: number
}

/** Watches the console beside a live show. @param seconds time after the first tenth of it, in which code is compiled */
export async function watchPage(
  browser: Browser,
  url: string,
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  try {
    const page = await context.newPage()
    await page.goto(url, { timeout: PATIENCE })
    await page.locator('#now video').first().waitFor({ timeout: PATIENCE })
    while (!(await page.evaluate('document.querySelector("#now video")?.currentTime > 0')))
      await sleep(POLL_INTERVAL, undefined, { signal })
    const meter = await openMeter(browser, page)
    await sleep(seconds * 100, undefined, { signal })
    const before = await meter()
    await sleep(seconds * 1000, undefined, { signal })
    const after = await meter()
    const passed = after.at - before.at
    const [cores, allCores] = [(after.thread - before.thread) / passed, (after.all - before.all) / passed]
    return { before, after, cores, allCores }
  } finally {
    await context.close()
  }
}

async function openMeter(browser: Browser, page: Page): Promise<() => Promise<PageUsage>> {
  const inPage = await page.context().newCDPSession(page)
  const inBrowser = await browser.newBrowserCDPSession()
  await inPage.send('Performance.enable')
  return async () => {
    await inPage.send('HeapProfiler.collectGarbage')
    const { metrics } = await inPage.send('Performance.getMetrics')
    const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
    return {
      ...{ heap: metric('JSHeapUsedSize'), nodes: metric('Nodes'), thread: metric('TaskDuration') },
      ...(await usageOf(inBrowser)),
      at: performance.now() / 1000,
    }
  }
}

async function usageOf(browser: CDPSession): Promise<Pick<PageUsage, 'memory' | 'all'>> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo')
  const main = processInfo.find(({ type }) => type === 'browser')
  return { memory: memoryOfAll(main?.id ?? 0), all: processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0) }
}
