import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { ShowDocument } from '../../../lib/client/documents.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../ready-program.ts'
import { launchChromium } from './chromium.ts'
import { collectComplaints } from './complaints.ts'
import { notePointerTargets } from './keyboard.ts'

/** The console of its own `npm start`, in Chromium. */
export interface ConsoleInChromium {
  /** A folder of the test, which is removed. */
  readonly directory: string
  readonly local: ReadyProgram<LocalAddresses>
  readonly browser: Browser
  readonly page: Page
  readonly complaints: readonly string[]
  close(): Promise<void>
}

interface ConsoleOptions {
  /** Flags of Chromium. */
  readonly flags?: readonly string[]
  readonly context?: BrowserContextOptions
  /** Fields of the example show. A long one lasts until it has been seen, also on a busy machine. */
  readonly example?: Partial<ShowDocument>
}

/** Starts the system in a temporary folder, and opens its console in a window of a desktop. */
export async function openConsole({ flags, context, example }: ConsoleOptions = {}): Promise<ConsoleInChromium> {
  await using opened = new AsyncDisposableStack()
  const { path: directory } = opened.use(await mkdtempDisposable(join(tmpdir(), 'showrunner-machine-')))
  const local = await startLocal(join(directory, 'local'))
  opened.defer(async () => void (await local.stop()))
  const browser = opened.use(await launchChromium(flags))
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, ...context })).newPage()
  const complaints = collectComplaints(page)
  await notePointerTargets(page)
  if (example)
    await page.route('**/example.json', async (route) => {
      const document: ShowDocument = await (await route.fetch()).json()
      await route.fulfill({ json: { ...document, ...example } })
    })
  await page.goto(local.ready.consoleUrl)
  const running = opened.move()
  return { directory, local, browser, page, complaints, close: () => running.disposeAsync() }
}
