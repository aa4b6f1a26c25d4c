import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ofMachineProject, ofRun } from './vitest.settings.ts'

const all = 'test/**/*.machine.test.ts'
const live = 'test/**/*.live.machine.test.ts'

/** Files that take half a minute or more, longest first: one that started last would run alone, on one core. */
const LONG = [
  'test/lib/showrunner-stack-rights.machine.test.ts',
  'test/machine/watch.live.machine.test.ts',
  'test/statemachines/publish-interrupted.machine.test.ts',
  'test/machine/night.live.machine.test.ts',
  'test/lib/media/damaged-files.machine.test.ts',
  'test/local/sandbox/webrtc/peers/browsers.live.machine.test.ts',
  'test/e2e/interruption.live.machine.test.ts',
  'test/local/sandbox/recovery.live.machine.test.ts',
  'test/local/simulation/mutants/try-mutants.machine.test.ts',
  'test/machine/scheduled.live.machine.test.ts',
  'test/e2e/demo.live.machine.test.ts',
  'test/e2e/demo-join.live.machine.test.ts',
  'test/e2e/dial-in.live.machine.test.ts',
  'test/bin/package/newcomer.live.machine.test.ts',
  'test/bin/commands/local/start.live.machine.test.ts',
  'test/local/sandbox/composers/chromium/chromium-page.live.machine.test.ts',
  'test/local/sandbox/media/in-sync.machine.test.ts',
  'test/machine/cfn-lint.machine.test.ts',
  'test/bench/live/live.live.machine.test.ts',
  'test/local/sandbox/media/sources/file-source.machine.test.ts',
  'test/machine/rtmp.live.machine.test.ts',
  'test/machine/console.live.machine.test.ts',
  'test/machine/control-room.live.machine.test.ts',
  'test/machine/clips.live.machine.test.ts',
  'test/machine/room.live.machine.test.ts',
  'test/machine/take.live.machine.test.ts',
  'test/machine/players.live.machine.test.ts',
  'test/bin/commands/local/start-killed.live.machine.test.ts',
  'test/local/cloud/s3/foreign-clients.machine.test.ts',
  'test/statemachines/publish-corpus.machine.test.ts',
  'test/bench/publish/publish.live.machine.test.ts',
  'test/web/join/join.live.machine.test.ts',
]
for (const file of LONG)
  if (!existsSync(file))
    throw new Error(`vitest.machine.config.ts lists ${file}, which does not exist. Correct the list.`)

/** Starts long files first, and files in real time evenly among the others: they wait for time while others use the cores. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex((file) => moduleId.endsWith(file))
      return index < 0 ? LONG.length : index
    }
    const sorted = (await super.sort(files)).toSorted((one, other) => place(one) - place(other))
    const projects = Object.values(Object.groupBy(sorted, ({ project }) => project.name))
    const shares = new Map(
      projects.flatMap((own = []) => own.map((file, index) => [file, (index + 0.5) / own.length] as const)),
    )
    return sorted.toSorted((one, other) => (shares.get(one) ?? 0) - (shares.get(other) ?? 0))
  }
}

/**
 * Tests that need programs of the machine (ffprobe, Chromium) or minutes. A missing program fails them by its name.
 * Those in real time (*.live.machine.test.ts) run beside the others, which get the processor only when these leave it; they
 * also subtract the time in which they waited for a core.
 */
export default defineConfig({
  test: {
    ...ofRun,
    maxConcurrency: 2, // cores
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...ofMachineProject, name: 'live', include: [live] } },
      {
        test: {
          ...ofMachineProject,
          name: 'machine',
          include: [all],
          exclude: [live],
          setupFiles: [...ofMachineProject.setupFiles, 'test/support/setup/low-priority.ts'],
        },
      },
    ],
  },
})
