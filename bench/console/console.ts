import { findChromium } from '../../local/sandbox/composers/chromium/find-chromium.ts'
import { type Bench, createBench, measurement } from '../bench.ts'
import { median, quantile, times } from '../figures.ts'
import { launchChromium } from '../live-hls/live-page.ts'
import { startLiveShow } from '../live-hls/live-show.ts'
import { measureOpening, watchPage } from './measure-page.ts'

/** Amounts of each measurement. */
interface ConsoleAmounts {
  /** Times that the console is opened with empty caches. */
  readonly openings: number
  /** Seconds for which it is open beside a live show. */
  readonly watched: number
}

const standard: ConsoleAmounts = { openings: 5, watched: 600 }

/** Seconds that the show lasts beyond the measurements. */
const MARGIN = 1_800
const SHOW = {
  ...{ version: 1.1, name: 'Console', recordings: [{ name: 'program' }] },
  broadcasts: [{ name: 'live', hls: {} }],
}

/** Share of its size to which the memory of the page may grow. */
const FLAT = 1.1

/** Measures the console beside a live show: its first paint, its memory, and its processor time besides video. */
export const createConsoleBench = (amounts: ConsoleAmounts = standard): Bench => ({
  ...createBench('the console beside a live show: first paint, memory, processor time', async (onStep, signal) => {
    const { openings, watched } = amounts
    const executablePath = await findChromium()
    if (!executablePath) throw new Error('This bench needs Chromium: install it, or set CHROME_PATH to it.')
    onStep('starting the system and a show')
    await using show = await startLiveShow({ ...SHOW, duration: watched + MARGIN }, signal)
    await using browser = await launchChromium(executablePath)
    onStep(`opening the console ${openings} times`)
    const opened = await times(openings, () => measureOpening(browser, show.consoleUrl, signal))
    onStep(`watching it for ${watched} s`)
    const { before, after, cores, allCores } = await watchPage(browser, show.consoleUrl, { seconds: watched, signal })
    await show.api.controls.stop(show.showId)
    const paints = opened.map(({ firstPaint }) => firstPaint)
    const of = `in ${watched} s`
    return [
      measurement('opening the console to its first paint, the median', 's', median(paints), null),
      measurement('opening the console to its first paint, the slowest', 's', quantile(paints, 1), null, atMost(0.5)),
      measurement('opening it to the card of the show, the median', 's', median(opened.map(({ card }) => card)), null),
      measurement(`processor time besides video, ${of}`, 'cores', cores, null, atMost(0.15)),
      measurement(`processor time of Chromium with video, ${of}`, 'cores', allCores, null),
      measurement(`memory of the page, ${of}`, 'MB', after.heap / 1e6, before.heap / 1e6, { atMost: FLAT }),
      measurement(`elements and texts of the page, ${of}`, 'nodes', after.nodes, before.nodes, { atMost: FLAT }),
      measurement(`memory of Chromium with video, ${of}`, 'MB', after.memory / 1e6, before.memory / 1e6),
    ]
  }),
  lasting: (seconds) => createConsoleBench({ ...amounts, watched: seconds }),
})

const atMost = (bound: number) => ({ atMost: bound, of: 'value' }) as const
