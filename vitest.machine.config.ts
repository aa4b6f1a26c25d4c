import { defineConfig } from 'vitest/config'
import { ofMachineProject, ofRun } from './vitest.settings.ts'

/** Tests that live in real time, and would take frames from each other. */
const live = 'test/**/*.live.machine.test.ts'

/** Tests that need programs of the machine (ffprobe, Chromium) or minutes. A missing program fails them by its name. */
export default defineConfig({
  test: {
    ...ofRun,
    projects: [
      { test: { ...ofMachineProject, name: 'machine', include: ['test/**/*.machine.test.ts'], exclude: [live] } },
      {
        test: {
          ...ofMachineProject,
          name: 'live',
          include: [live],
          fileParallelism: false,
          sequence: { groupOrder: 1 }, // after the others, alone
        },
      },
    ],
  },
})
