import { defineConfig } from 'vitest/config'
import { ofMachineProject, ofRun } from './vitest.settings.ts'

/**
 * Tests that need programs of the machine (ffprobe, Chromium) or minutes. A missing program fails them by its name.
 * Those in real time (*.live.machine.test.ts) run beside the others: they subtract what they waited for a core.
 */
export default defineConfig({
  test: {
    ...ofRun,
    maxConcurrency: 2, // cores
    projects: [{ test: { ...ofMachineProject, name: 'machine', include: ['test/**/*.machine.test.ts'] } }],
  },
})
