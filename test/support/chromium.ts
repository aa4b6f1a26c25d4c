import { type Browser, chromium } from 'playwright-core'
import { findTool } from './tools.ts'

/** Flags that keep Chromium from asking for anything outside this machine. */
const OFFLINE = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync']
const MUTED_AUTOPLAY = '--autoplay-policy=no-user-gesture-required'

/** The machine's Chromium, which asks for nothing outside of the machine and plays what it is told to. */
export const launchChromium = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await findTool('chromium', 'chromium'), args: [...OFFLINE, MUTED_AUTOPLAY] })
