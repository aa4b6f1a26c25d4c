import { defineConfig } from 'vitest/config'
import { ofProject, ofRun } from './vitest.settings.ts'

const quick = 'test/**/*.media.test.ts'
const long = 'test/**/*.media.machine.test.ts'

/** Tests of media alone, to be run with one ffmpeg after another (`FFMPEG_PATH`): see `.ci/media-lanes`. */
export default defineConfig({
  test: {
    ...ofRun,
    projects: [
      { test: { ...ofProject, name: 'quick', include: [quick] } },
      { test: { ...ofProject, name: 'long', include: [long] } },
    ],
  },
})
