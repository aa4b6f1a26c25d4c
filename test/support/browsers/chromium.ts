import { type Browser, chromium } from 'playwright-core'
import { findTool } from '../tools.ts'

/** Flags that keep Chromium from requesting anything outside this machine. */
const OFFLINE = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync']
const MUTED_AUTOPLAY = '--autoplay-policy=no-user-gesture-required'

/** Milliseconds that no machine needs for one step on a page. */
const HANGING = 300_000

/**
 * Starts the machine's Chromium. It contacts nothing outside the machine, and plays media without a click.
 * @param flags further flags, such as those of {@link captureFrom}
 */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = await findTool('chromium', 'chromium')
  const browser = await chromium.launch({
    executablePath,
    args: [...OFFLINE, MUTED_AUTOPLAY, ...flags],
    timeout: HANGING,
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(HANGING)
    return context
  }
  return browser
}

/** Returns the flags by which files stand for camera and microphone, without a question to the user. Both files repeat. */
export const captureFrom = ({ video, audio }: { readonly video: string; readonly audio: string }) => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${video}`,
  `--use-file-for-fake-audio-capture=${audio}`,
]
