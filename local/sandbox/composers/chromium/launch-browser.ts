import type { BrowserContext } from 'playwright-core'
import type { Size } from '../../media/composing/picture.ts'

/** Arguments of Chromium besides those that Playwright gives it. */
const ARGUMENTS = [
  '--autoplay-policy=no-user-gesture-required', // no user is there to click
  '--allow-loopback-in-peer-connection', // the media is sent within this machine
  '--disable-gpu', // headless machines have none, and a fallback would be chosen by chance
  '--disable-quic',
]

/** Arguments of Playwright that would mute pages, or allow them to open windows. */
const UNWANTED_ARGUMENTS = ['--mute-audio', '--disable-popup-blocking']

/**
 * Starts a headless Chromium with one empty tab of some size. It refuses downloads, permissions, dialogs and windows.
 * @param title of the tab that a page of this browser captures when it asks for a capture
 * @param timeout milliseconds for the start
 * @throws Error when Chromium does not start
 */
export async function launchBrowser(
  executablePath: string,
  { profile, size, title, timeout }: { profile: string; size: Size; title: string; timeout: number },
): Promise<BrowserContext> {
  const { chromium } = await import('playwright-core') // at the first composer, so that a sandbox starts no later
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    timeout,
    viewport: { ...size },
    deviceScaleFactor: 1,
    acceptDownloads: false,
    // Chromium refuses to run as root, as in most containers, unless its sandbox is off.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...ARGUMENTS, `--auto-select-tab-capture-source-by-title=${title}`],
    ignoreDefaultArgs: UNWANTED_ARGUMENTS,
    // The sandbox closes its browsers in order.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  })
  await refusePermissions(context)
  return context
}

/** Permissions of pages from other networks to request from this machine and its network, which every page may reach. */
const REACH = ['localNetworkAccess', 'localNetwork', 'loopbackNetwork'] as const

/** Refuses all other permissions at once, which a headless browser otherwise leaves undecided. */
async function refusePermissions(context: BrowserContext): Promise<void> {
  const [page = await context.newPage()] = context.pages()
  const session = await context.newCDPSession(page)
  const grant = (permissions: readonly (typeof REACH)[number][]) =>
    session.send('Browser.grantPermissions', { permissions: [...permissions] })
  // An older Chromium knows no such permissions, and needs none. The refusals last as long as the session.
  await grant(REACH).catch(() => grant([]))
}
