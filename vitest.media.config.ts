import { defineConfig } from 'vitest/config'
import { ofProject, ofRun } from './vitest.settings.ts'

const quick = 'test/**/*.media.test.ts'
const long = 'test/**/*.media.machine.test.ts'

const ofLane = { ...ofProject, isolate: false } // what all files import is loaded once for each core

/** Tests of media alone, to be run with one ffmpeg after another (`FFMPEG_PATH`): see `.ci/media-lanes`. */
export default defineConfig({
  test: {
    ...ofRun,
    projects: [
      { test: { ...ofLane, name: 'quick', include: [quick] } },
      { test: { ...ofLane, name: 'long', include: [long] } },
    ],
  },
})
