import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach } from 'vitest'
import type { ShowDocument } from '../../../lib/client/documents.ts'
import { runFfmpeg } from '../../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { type LocalAddresses, type ReadyProgram, startLocal } from '../ready-program.ts'
import { captureFrom, launchChromium } from './chromium.ts'
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
  /** Windows can join with a small camera, of {@link CAMERA}, and a microphone. @default false */
  readonly hasCamera?: boolean
  readonly context?: BrowserContextOptions
  /** Fields of the example show. A long one lasts until it has been seen, also on a busy machine. */
  readonly example?: Partial<ShowDocument>
}

/** A person on a bright ground, who sways. It is small, so that several windows can encode it on a small machine. */
const CAMERA = [
  'color=0x3a8f8f:s=320x180:r=15:d=2',
  String.raw`geq=lum='if(lt(hypot(X-160-8*sin(PI*T)\,Y-72)\,30)\,200\,if(lt(hypot((X-160)/1.4\,Y-185)\,62)\,170\,lum(X\,Y)))':cb='cb(X\,Y)':cr='cr(X\,Y)'`,
].join()
const MICROPHONE = 'sine=660:r=48000:d=2'

/** Makes the files of camera and microphone, and returns the flags with which Chromium uses them. */
async function makeCamera(directory: string): Promise<string[]> {
  const ffmpeg = await findFfmpeg()
  const [video, audio] = [join(directory, 'camera.y4m'), join(directory, 'microphone.wav')]
  await runFfmpeg(ffmpeg, ['-f', 'lavfi', '-i', CAMERA, '-pix_fmt', 'yuv420p', video])
  await runFfmpeg(ffmpeg, ['-f', 'lavfi', '-i', MICROPHONE, '-ac', '2', audio])
  return captureFrom({ video, audio })
}

/** Starts the system in a temporary folder, and opens its console in a window of a desktop. */
export async function openConsole(options: ConsoleOptions = {}): Promise<ConsoleInChromium> {
  const { flags = [], hasCamera = false, context, example } = options
  await using opened = new AsyncDisposableStack()
  const { path: directory } = opened.use(await mkdtempDisposable(join(tmpdir(), 'showrunner-machine-')))
  const local = await startLocal(join(directory, 'local'))
  opened.defer(async () => void (await local.stop()))
  const camera = hasCamera ? await makeCamera(directory) : []
  const browser = opened.use(await launchChromium([...flags, ...camera]))
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

/** Starts the example show by its button. @throws Error with the sentence of the page, when the show did not start */
export async function startExample(page: Page): Promise<void> {
  await page.getByRole('button', { name: /example/i }).click()
  const answer = page.locator('#answer').filter({ hasNotText: 'Starting the example …' }).filter({ hasText: /./ })
  const sentence = await answer.innerText()
  if (!sentence.startsWith('The example has started.')) throw new Error(`The example did not start: ${sentence}`)
}

/** Prints what the page shows when a test has failed, since a missing element does not say why it is missing. */
export function printPageOfFailure(page: () => Page | undefined): void {
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    console.error(`The page when “${task.name}” failed:\n${await page()?.locator('body').innerText()}`)
  })
}
