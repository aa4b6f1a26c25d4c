import { join } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

const SHOWN = 10
/** Milliseconds that no machine needs, however slow or busy: a test that takes longer hangs. */
const HANGING = 120_000
/** The same, of tests that take half a minute on a quiet machine. */
const LONG_HANGING = 900_000

/** Prints the tests that took longest, so that a slow one is noticed while it is new. */
class SlowestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    if (tests.length <= SHOWN) return // a file of a few, run by hand
    const slowest = tests.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, SHOWN)
    const lines = slowest.map((test) => `${seconds(test).toFixed(1).padStart(7)} s  ${nameOf(test)}`)
    process.stdout.write(`\n Slowest tests\n${lines.join('\n')}\n`)
  }
}

const seconds = (test: TestCase) => (test.diagnostic()?.duration ?? 0) / 1000
const nameOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`

/** Settings of a whole run. */
export const ofRun = {
  reporters: ['default', new SlowestReporter()],
  globalSetup: ['test/support/setup/compile-threads.ts'],
}

/** Settings that vitest reads for each project. */
export const ofProject = {
  disableConsoleIntercept: true, // quiet-console.ts shows that of tests that fail
  setupFiles: [
    'test/support/setup/quiet-console.ts',
    // These search everything that a test shows or stores for the secrets that it uses.
    ...['setup', 'stored-secrets', 'logged-secrets'].map((name) => `test/support/secrecy/${name}.ts`),
  ],
  env: {
    /** The CDK would validate each template that a test synthesizes. `cdk synth` does it for those of deployments. */
    CDK_VALIDATION: 'false',
    /** Threads and programs that a test starts read compiled sources here. */
    NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
  },
  testTimeout: HANGING,
  hookTimeout: HANGING,
  expect: { poll: { timeout: HANGING } },
  maxWorkers: '100%', // one core less, which is the default, would be half of a small machine
}

/** Settings of the projects that take minutes. */
export const ofMachineProject = {
  ...ofProject,
  testTimeout: LONG_HANGING,
  hookTimeout: LONG_HANGING,
  expect: { poll: { timeout: LONG_HANGING } },
}
