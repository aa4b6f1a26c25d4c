import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PlatformRecord, readPlatformRecord } from './platform-record.ts'
import { type Program, startProgram } from './program.ts'

/** The output of the demo that tests read. */
export interface DemoOutcome {
  readonly status: string
  readonly sessionId: string
  readonly recordings: readonly DemoRecording[]
  readonly broadcasts: readonly { name: string; broadcastId: string; status: string; playlist: string }[]
  readonly execution: { historyEvents: number; transitions: number; invocations: number }
}

export interface DemoRecording {
  readonly name: string
  readonly archiveId: string
  readonly status: string
  readonly key: string
  readonly size: number
  readonly duration: number
  readonly file: string
  readonly manifest: string
}

/** Runs the demo in a private folder. Returns what it printed, and what the platform recorded. */
export interface DemoRun {
  readonly code: number | null
  readonly stderr: string
  readonly outcome: DemoOutcome
  readonly record: PlatformRecord
  recording(name: string): DemoRecording
  remove(): Promise<void>
}

/**
 * Runs the demo to its end.
 * @param environment added to the environment of the tests
 * @param accompany runs beside the demo, and is awaited
 * @param options further options of its command line
 */
export async function runDemo(
  environment: NodeJS.ProcessEnv = {},
  accompany: (demo: Program) => Promise<void> = async () => {},
  options: readonly string[] = [],
): Promise<DemoRun> {
  const folder = await mkdtemp(join(tmpdir(), 'showrunner-demo-'))
  const directory = join(folder, 'demo')
  const demo = startProgram(['demo', '--json', '--directory', directory, ...options], environment)
  const [{ code, stdout, stderr }] = await Promise.all([demo.ended, accompany(demo)])
  if (!stdout) throw new Error(`The demo printed no outcome: ${stderr}`)
  const outcome: DemoOutcome = JSON.parse(stdout)
  return {
    ...{ code, stderr, outcome },
    record: readPlatformRecord(join(directory, 'sandbox')),
    recording(name) {
      const found = outcome.recordings.find((one) => one.name === name)
      if (!found) throw new Error(`There is no recording ${name}.`)
      return found
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
